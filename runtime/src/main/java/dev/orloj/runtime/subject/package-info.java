/** The users on whose behalf orlojd sends requests to servers. */
@NullMarked
package dev.orloj.runtime.subject;

import org.jspecify.annotations.NullMarked;
