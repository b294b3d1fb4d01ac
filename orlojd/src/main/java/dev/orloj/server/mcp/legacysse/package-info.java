/** The HTTP+SSE transport of MCP 2024-11-05, for clients that know nothing newer. */
@NullMarked
package dev.orloj.server.mcp.legacysse;

import org.jspecify.annotations.NullMarked;
