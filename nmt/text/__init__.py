"""Text: file formats, subword pieces and sentence boundaries. Knows nothing of models."""
