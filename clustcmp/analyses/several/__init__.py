"""Several clusterings from files, columns and objects, under the names that users give them."""
