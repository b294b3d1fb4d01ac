/** What can be called: the servers and tools known to this process. */
@NullMarked
package dev.orloj.runtime.catalog;

import org.jspecify.annotations.NullMarked;
