/** The port through which controllers and clients reach resources. */
@NullMarked
package dev.orloj.api.client;

import org.jspecify.annotations.NullMarked;
