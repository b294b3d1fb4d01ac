/** What every document passes before it is stored: decoding, pruning, defaults, all the rules. */
@NullMarked
package dev.orloj.server.admission;

import org.jspecify.annotations.NullMarked;
