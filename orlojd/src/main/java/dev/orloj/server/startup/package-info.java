/** Checks before the start, and progress messages during a slow start. */
@NullMarked
package dev.orloj.server.startup;

import org.jspecify.annotations.NullMarked;
