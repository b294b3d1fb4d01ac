/** What containers may do, whoever asks for them. */
@NullMarked
package dev.orloj.controllers.sandbox;

import org.jspecify.annotations.NullMarked;
