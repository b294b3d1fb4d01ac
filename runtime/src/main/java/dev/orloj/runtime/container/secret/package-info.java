/** Secrets that containers read from files. */
@NullMarked
package dev.orloj.runtime.container.secret;

import org.jspecify.annotations.NullMarked;
