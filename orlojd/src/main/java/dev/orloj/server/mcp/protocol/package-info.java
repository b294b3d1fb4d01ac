/** Client messages: requests, headers, errors, and the differences between MCP revisions. */
@NullMarked
package dev.orloj.server.mcp.protocol;

import org.jspecify.annotations.NullMarked;
