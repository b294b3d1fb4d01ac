/**
 * Checks before the start, progress messages during a slow start, and what the service manager is
 * told.
 */
@NullMarked
package dev.orloj.server.startup;

import org.jspecify.annotations.NullMarked;
