/** What a start checks before anything slow, and what it prints while it takes long. */
@NullMarked
package dev.orloj.server.startup;

import org.jspecify.annotations.NullMarked;
