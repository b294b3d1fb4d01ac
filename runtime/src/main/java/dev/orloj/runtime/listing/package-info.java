/** Limits and storage of the tool lists of servers. */
@NullMarked
package dev.orloj.runtime.listing;

import org.jspecify.annotations.NullMarked;
