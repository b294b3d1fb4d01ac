/** Containers as they are described, before one exists. */
@NullMarked
package dev.orloj.runtime.container.spec;

import org.jspecify.annotations.NullMarked;
