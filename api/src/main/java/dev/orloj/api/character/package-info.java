/** Characters of texts that are not seen, and the texts that need them. */
@NullMarked
package dev.orloj.api.character;

import org.jspecify.annotations.NullMarked;
