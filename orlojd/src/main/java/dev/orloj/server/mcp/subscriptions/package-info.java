/** Which clients receive which notifications. */
@NullMarked
package dev.orloj.server.mcp.subscriptions;

import org.jspecify.annotations.NullMarked;
