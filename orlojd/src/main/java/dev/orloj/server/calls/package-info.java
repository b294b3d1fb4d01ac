/** Calls that outlive the requests that started them. */
@NullMarked
package dev.orloj.server.calls;

import org.jspecify.annotations.NullMarked;
