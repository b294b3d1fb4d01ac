/**
 * The messages that clients send: requests, headers, errors, and what differs between revisions of
 * MCP.
 */
@NullMarked
package dev.orloj.server.mcp.protocol;

import org.jspecify.annotations.NullMarked;
