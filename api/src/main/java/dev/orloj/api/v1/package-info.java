/** The kinds of group {@code orloj.dev/v1}, and the core kinds that clients expect beside them. */
@NullMarked
package dev.orloj.api.v1;

import org.jspecify.annotations.NullMarked;
