/** orlojd as an MCP server on stdin and stdout, for clients that start a program. */
@NullMarked
package dev.orloj.cli.mcp;

import org.jspecify.annotations.NullMarked;
