/** The HTTPS port. */
@NullMarked
package dev.orloj.server.tls;

import org.jspecify.annotations.NullMarked;
