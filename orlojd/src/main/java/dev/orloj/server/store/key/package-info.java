/** The keys that values in the database are encrypted with: where they come from, and rotation. */
@NullMarked
package dev.orloj.server.store.key;

import org.jspecify.annotations.NullMarked;
