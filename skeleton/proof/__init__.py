"""Skeletons are read again and proven before anyone sees them."""
