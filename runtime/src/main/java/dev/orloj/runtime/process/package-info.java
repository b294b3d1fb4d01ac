/** Reads what the system knows of processes of this host. */
@NullMarked
package dev.orloj.runtime.process;

import org.jspecify.annotations.NullMarked;
