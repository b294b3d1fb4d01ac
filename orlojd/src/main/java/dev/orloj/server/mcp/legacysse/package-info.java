/** The HTTP+SSE transport of MCP 2024-11-05, for clients that support nothing newer. */
@NullMarked
package dev.orloj.server.mcp.legacysse;

import org.jspecify.annotations.NullMarked;
