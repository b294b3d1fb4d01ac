/** Applies the policies of servers to what runs in their sessions. */
@NullMarked
package dev.orloj.server.code;

import org.jspecify.annotations.NullMarked;
