/**
 * Resources in PostgreSQL: reads, atomic writes, and watches that deliver each change exactly once.
 */
@NullMarked
package dev.orloj.server.store;

import org.jspecify.annotations.NullMarked;
