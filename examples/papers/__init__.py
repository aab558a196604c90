"""The numbers and claims of the papers behind the metrics, beside ours."""
