/**
 * Examines the results of calls for what a model or a terminal should not get. Each step reads its
 * text a bounded number of times, whatever the text is.
 */
@NullMarked
package dev.orloj.runtime.examination;

import org.jspecify.annotations.NullMarked;
