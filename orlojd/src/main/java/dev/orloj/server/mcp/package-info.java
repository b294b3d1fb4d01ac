/**
 * The MCP endpoints that clients connect to: one for all tools of a namespace, and one for each
 * McpServer. Every revision of the protocol uses the same path; the request names its revision.
 */
@NullMarked
package dev.orloj.server.mcp;

import org.jspecify.annotations.NullMarked;
