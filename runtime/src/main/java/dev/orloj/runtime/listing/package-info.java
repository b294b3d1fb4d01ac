/** What the tool list of a server may cost, and how it is held. */
@NullMarked
package dev.orloj.runtime.listing;

import org.jspecify.annotations.NullMarked;
