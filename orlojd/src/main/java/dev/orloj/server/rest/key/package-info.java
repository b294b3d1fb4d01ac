/** Lists and rotates the keys that values in the database are encrypted with. */
@NullMarked
package dev.orloj.server.rest.key;

import org.jspecify.annotations.NullMarked;
