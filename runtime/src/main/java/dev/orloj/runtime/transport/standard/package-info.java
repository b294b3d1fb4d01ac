/** Chooses the transport that an address asks for. */
@NullMarked
package dev.orloj.runtime.transport.standard;

import org.jspecify.annotations.NullMarked;
