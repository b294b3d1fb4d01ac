/** The verbs about running servers and orlojd itself. */
@NullMarked
package dev.orloj.cli.server;

import org.jspecify.annotations.NullMarked;
