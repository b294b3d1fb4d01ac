/** The environment variables that files from elsewhere may use. */
@NullMarked
package dev.orloj.cli.variable;

import org.jspecify.annotations.NullMarked;
