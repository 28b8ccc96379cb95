"""Other tools' formats: a model written so that they can run it."""
