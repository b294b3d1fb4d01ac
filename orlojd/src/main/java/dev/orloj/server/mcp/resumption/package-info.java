/**
 * Resumption of event streams with {@code Last-Event-ID}, in the revisions of MCP that have it:
 * 2025-03-26 to 2025-11-25. Keeps what was sent for a while, within bounds.
 */
@NullMarked
package dev.orloj.server.mcp.resumption;

import org.jspecify.annotations.NullMarked;
