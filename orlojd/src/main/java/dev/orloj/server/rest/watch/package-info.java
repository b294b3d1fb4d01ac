/** Watches over HTTP and WebSocket. */
@NullMarked
package dev.orloj.server.rest.watch;

import org.jspecify.annotations.NullMarked;
