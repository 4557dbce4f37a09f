"""What happens: simulation and search in floating point, with its errors."""
