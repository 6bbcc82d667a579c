"""What makes the generated files of this repository; not installed."""
