"""Gates: thresholds that a comparison must keep, and the verdict on them."""
