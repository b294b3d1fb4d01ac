/** Calls that outlive the requests that began them. */
@NullMarked
package dev.orloj.server.calls;

import org.jspecify.annotations.NullMarked;
