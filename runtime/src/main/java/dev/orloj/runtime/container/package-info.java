/** Containers as workloads: what one is made of, and the engine that runs it. */
@NullMarked
package dev.orloj.runtime.container;

import org.jspecify.annotations.NullMarked;
