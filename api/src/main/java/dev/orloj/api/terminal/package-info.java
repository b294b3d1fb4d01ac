/** Makes untrusted text safe for terminals and for the people who read it there. */
@NullMarked
package dev.orloj.api.terminal;

import org.jspecify.annotations.NullMarked;
