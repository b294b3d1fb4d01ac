/** Reviews of manifests: whether their servers work here, and what these servers are like. */
@NullMarked
package dev.orloj.controllers.review;

import org.jspecify.annotations.NullMarked;
