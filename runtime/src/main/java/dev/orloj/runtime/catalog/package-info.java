/** The catalog of the servers and tools that this process can call. */
@NullMarked
package dev.orloj.runtime.catalog;

import org.jspecify.annotations.NullMarked;
