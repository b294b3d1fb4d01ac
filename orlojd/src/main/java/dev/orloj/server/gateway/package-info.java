/** Detection of request loops between gateways. */
@NullMarked
package dev.orloj.server.gateway;

import org.jspecify.annotations.NullMarked;
