/** Requests that lead back to the gateway that they come from. */
@NullMarked
package dev.orloj.runtime.gateway;

import org.jspecify.annotations.NullMarked;
