/** Observation of requests to servers. */
@NullMarked
package dev.orloj.runtime.observation;

import org.jspecify.annotations.NullMarked;
