/** Admission of documents before they are stored: decoding, pruning, defaults and validation. */
@NullMarked
package dev.orloj.server.admission;

import org.jspecify.annotations.NullMarked;
