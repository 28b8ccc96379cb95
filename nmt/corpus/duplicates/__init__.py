"""The same text again: as it is, or nearly so."""
