/** Authenticates and authorizes the requests of the HTTPS port. */
@NullMarked
package dev.orloj.server.access;

import org.jspecify.annotations.NullMarked;
