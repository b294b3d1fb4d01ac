/**
 * Resumption of event streams with {@code Last-Event-ID}, in the MCP revisions that support it:
 * 2025-03-26 to 2025-11-25. Records sent events for a limited time, within bounds.
 */
@NullMarked
package dev.orloj.server.mcp.resumption;

import org.jspecify.annotations.NullMarked;
