/** The command line of {@code orlojd}. */
@NullMarked
package dev.orloj.server.options;

import org.jspecify.annotations.NullMarked;
