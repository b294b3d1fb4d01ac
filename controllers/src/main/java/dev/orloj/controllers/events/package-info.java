/** Tells people what has happened to a resource. */
@NullMarked
package dev.orloj.controllers.events;

import org.jspecify.annotations.NullMarked;
