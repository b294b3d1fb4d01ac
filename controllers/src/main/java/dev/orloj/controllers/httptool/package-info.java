/** Keeps declared Tools callable, and says in their status which cannot be called and why. */
@NullMarked
package dev.orloj.controllers.httptool;

import org.jspecify.annotations.NullMarked;
