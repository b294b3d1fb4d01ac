/** Values of Secrets that operators give to orlojd itself. */
@NullMarked
package dev.orloj.controllers.secret;

import org.jspecify.annotations.NullMarked;
