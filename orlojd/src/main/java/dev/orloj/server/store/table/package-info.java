/** Rows of resources: their SQL, their encoding, their encryption. */
@NullMarked
package dev.orloj.server.store.table;

import org.jspecify.annotations.NullMarked;
