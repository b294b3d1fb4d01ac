/** The command {@code check}: what orlojd finds about servers, for people and for CI. */
@NullMarked
package dev.orloj.cli.check;

import org.jspecify.annotations.NullMarked;
