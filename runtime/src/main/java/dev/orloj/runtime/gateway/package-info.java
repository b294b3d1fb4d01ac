/** Detection of requests that return to the gateway that sent them. */
@NullMarked
package dev.orloj.runtime.gateway;

import org.jspecify.annotations.NullMarked;
