/** Real MCP servers, from the npm registry, as their users have them. */
@NullMarked
package dev.orloj.server.acceptance;

import org.jspecify.annotations.NullMarked;
