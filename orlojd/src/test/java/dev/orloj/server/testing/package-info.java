/** Whole servers for tests, in this JVM or in one of their own, and a client that hides nothing. */
@NullMarked
package dev.orloj.server.testing;

import org.jspecify.annotations.NullMarked;
