/** Resources in PostgreSQL: reads, atomic writes, and a watch that misses and repeats nothing. */
@NullMarked
package dev.orloj.server.store;

import org.jspecify.annotations.NullMarked;
