/** The observation of calls: what metrics, spans, the log and {@code orlojctl trace} record. */
@NullMarked
package dev.orloj.runtime.observation;

import org.jspecify.annotations.NullMarked;
