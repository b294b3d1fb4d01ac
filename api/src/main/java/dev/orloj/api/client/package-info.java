/** The interface through which controllers and clients access resources. */
@NullMarked
package dev.orloj.api.client;

import org.jspecify.annotations.NullMarked;
