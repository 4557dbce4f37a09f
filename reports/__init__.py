"""What we tell people: verdicts, the ledger and its renderings, the command line."""
