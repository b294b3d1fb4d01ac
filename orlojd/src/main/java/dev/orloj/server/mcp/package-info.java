/**
 * The MCP servers that agents connect to: all tools of a namespace as one, and each McpServer as
 * itself. Every revision of the protocol has the same path; a request says which one it speaks.
 */
@NullMarked
package dev.orloj.server.mcp;

import org.jspecify.annotations.NullMarked;
