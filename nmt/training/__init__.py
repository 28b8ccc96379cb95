"""Teacher forcing: loss, optimizer, schedule, the loop, and validation."""
