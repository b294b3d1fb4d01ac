/** Who may talk to the server. */
@NullMarked
package dev.orloj.server.security;

import org.jspecify.annotations.NullMarked;
