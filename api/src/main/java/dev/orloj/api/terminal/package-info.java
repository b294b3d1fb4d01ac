/** Text from outside, made harmless for terminals and for people who read it there. */
@NullMarked
package dev.orloj.api.terminal;

import org.jspecify.annotations.NullMarked;
