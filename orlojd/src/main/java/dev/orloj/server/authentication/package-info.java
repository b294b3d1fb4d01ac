/** Finds out who sends a request. */
@NullMarked
package dev.orloj.server.authentication;

import org.jspecify.annotations.NullMarked;
