/** Names of resources in an endpoint of several servers. */
@NullMarked
package dev.orloj.server.mcp.uri;

import org.jspecify.annotations.NullMarked;
