"""The only package that speaks SQL. Knows the engine's values; does not know HTTP."""
