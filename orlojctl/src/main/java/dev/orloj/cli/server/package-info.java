/** Commands for running servers and for orlojd itself. */
@NullMarked
package dev.orloj.cli.server;

import org.jspecify.annotations.NullMarked;
