"""The text of people and of the JSON around it: the floor that both wings of compaction stand on."""
