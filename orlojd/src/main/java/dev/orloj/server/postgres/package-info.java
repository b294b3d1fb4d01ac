/** The embedded PostgreSQL that orlojd runs when no other database is configured. */
@NullMarked
package dev.orloj.server.postgres;

import org.jspecify.annotations.NullMarked;
