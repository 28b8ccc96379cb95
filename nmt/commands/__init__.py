"""What each command does: plain functions, importable without the command line."""
