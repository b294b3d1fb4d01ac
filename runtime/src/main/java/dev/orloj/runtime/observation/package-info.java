/** What observers of requests to servers see. */
@NullMarked
package dev.orloj.runtime.observation;

import org.jspecify.annotations.NullMarked;
