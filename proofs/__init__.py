"""What is true, and why: statements, proofs and the judges of proofs."""
