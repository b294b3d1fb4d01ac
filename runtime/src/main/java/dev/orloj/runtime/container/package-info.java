/** Containers as workloads: their creation and the engine that runs them. */
@NullMarked
package dev.orloj.runtime.container;

import org.jspecify.annotations.NullMarked;
