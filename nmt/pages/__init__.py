"""Documents for people to look at: each one HTML file that needs no network and no script."""
