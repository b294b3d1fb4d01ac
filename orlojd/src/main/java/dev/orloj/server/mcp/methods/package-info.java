/** The methods of MCP that clients call, and their results. */
@NullMarked
package dev.orloj.server.mcp.methods;

import org.jspecify.annotations.NullMarked;
