/** Limits of results, and the store of the complete results. */
@NullMarked
package dev.orloj.runtime.result;

import org.jspecify.annotations.NullMarked;
