/** Limits for each user of the HTTPS port. */
@NullMarked
package dev.orloj.server.access.limits;

import org.jspecify.annotations.NullMarked;
