/** Limits the concurrent starts of servers, because starts keep the processors busy. */
@NullMarked
package dev.orloj.runtime.start;

import org.jspecify.annotations.NullMarked;
