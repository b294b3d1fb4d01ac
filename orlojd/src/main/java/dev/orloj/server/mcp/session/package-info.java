/** Sessions of clients, in the revisions of MCP that have them. */
@NullMarked
package dev.orloj.server.mcp.session;

import org.jspecify.annotations.NullMarked;
