/** The networks of containers. */
@NullMarked
package dev.orloj.runtime.container.network;

import org.jspecify.annotations.NullMarked;
