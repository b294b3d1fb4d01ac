/** Makes declared Tools callable, and writes in their status which cannot be called and why. */
@NullMarked
package dev.orloj.controllers.httptool;

import org.jspecify.annotations.NullMarked;
