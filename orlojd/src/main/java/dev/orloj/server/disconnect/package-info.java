/** Detects that a client has disconnected while its request is in progress. */
@NullMarked
package dev.orloj.server.disconnect;

import org.jspecify.annotations.NullMarked;
