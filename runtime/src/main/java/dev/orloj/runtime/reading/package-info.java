/** Limits the memory of messages from servers while they are read and until they are used. */
@NullMarked
package dev.orloj.runtime.reading;

import org.jspecify.annotations.NullMarked;
