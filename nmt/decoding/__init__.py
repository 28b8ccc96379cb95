"""From a model to translations: step models, search, and the Translator that turns strings into strings."""
