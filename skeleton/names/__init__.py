"""The grammar of the names that people, traces and manifests write."""
