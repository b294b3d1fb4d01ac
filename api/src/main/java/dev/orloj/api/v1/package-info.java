/** The kinds of group {@code orloj.dev/v1}, and the registry of all kinds. */
@NullMarked
package dev.orloj.api.v1;

import org.jspecify.annotations.NullMarked;
