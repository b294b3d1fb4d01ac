/** Handlers of the MCP methods that clients call. */
@NullMarked
package dev.orloj.server.mcp.methods;

import org.jspecify.annotations.NullMarked;
