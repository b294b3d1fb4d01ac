/** Reads the values of Secrets that operators set for orlojd itself. */
@NullMarked
package dev.orloj.controllers.secret;

import org.jspecify.annotations.NullMarked;
