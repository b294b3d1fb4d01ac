/** Elects the replica that owns the sessions with singletons. */
@NullMarked
package dev.orloj.controllers.singleton;

import org.jspecify.annotations.NullMarked;
