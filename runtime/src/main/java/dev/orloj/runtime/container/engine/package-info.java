/** The connection to the container engine, its events and its recovery. */
@NullMarked
package dev.orloj.runtime.container.engine;

import org.jspecify.annotations.NullMarked;
