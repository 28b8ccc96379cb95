"""`python -m nmt`, and so `torchrun -m nmt`."""

from nmt.cli import main

if __name__ == "__main__":
    main()
