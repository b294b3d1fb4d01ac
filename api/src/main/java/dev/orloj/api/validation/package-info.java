/** Validates documents. All errors are reported together, each with the path of its field. */
@NullMarked
package dev.orloj.api.validation;

import org.jspecify.annotations.NullMarked;
