/** Runs the table of attacks in {@code docs/attacks.md}, each attack as a server. */
@NullMarked
package dev.orloj.server.attacks;

import org.jspecify.annotations.NullMarked;
