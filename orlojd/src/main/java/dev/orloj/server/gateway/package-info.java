/** How requests that have come round in a circle are recognized. */
@NullMarked
package dev.orloj.server.gateway;

import org.jspecify.annotations.NullMarked;
