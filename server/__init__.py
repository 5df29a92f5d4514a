"""The top floor: the tools as an MCP server, and as a command line. It holds no logic of its own."""
