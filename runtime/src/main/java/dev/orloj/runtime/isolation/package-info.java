/** The policy that determines which clients share a session with a server. */
@NullMarked
package dev.orloj.runtime.isolation;

import org.jspecify.annotations.NullMarked;
