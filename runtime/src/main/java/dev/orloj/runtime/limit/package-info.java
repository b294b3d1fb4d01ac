/** How many calls of a server may go on, how fast they may come, and when to stop trying. */
@NullMarked
package dev.orloj.runtime.limit;

import org.jspecify.annotations.NullMarked;
