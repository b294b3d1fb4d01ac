/** Specifications of containers. */
@NullMarked
package dev.orloj.runtime.container.spec;

import org.jspecify.annotations.NullMarked;
