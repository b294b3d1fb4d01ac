/** Copies the database to a file of Orloj's own, and back from one. */
@NullMarked
package dev.orloj.server.backup;

import org.jspecify.annotations.NullMarked;
