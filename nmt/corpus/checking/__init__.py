"""What is wrong with parallel text, found before anything is trained on it."""
