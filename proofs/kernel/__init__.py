"""The proof kernel: terms, rules, normal forms and witnesses (`docs/kernel.md`).

Imports nothing of ours outside this folder.
"""
