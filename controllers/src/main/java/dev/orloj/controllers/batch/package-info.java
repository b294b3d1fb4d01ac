/** Splits many writes into small transactions. */
@NullMarked
package dev.orloj.controllers.batch;

import org.jspecify.annotations.NullMarked;
