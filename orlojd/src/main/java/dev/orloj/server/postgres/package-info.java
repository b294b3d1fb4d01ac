/** The PostgreSQL that orlojd runs by itself when it is given no other. */
@NullMarked
package dev.orloj.server.postgres;

import org.jspecify.annotations.NullMarked;
