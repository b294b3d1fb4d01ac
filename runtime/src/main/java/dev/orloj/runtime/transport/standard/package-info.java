/** The choice of the transport that a server's address requires. */
@NullMarked
package dev.orloj.runtime.transport.standard;

import org.jspecify.annotations.NullMarked;
