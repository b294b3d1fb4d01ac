/** Errors of a document, each with the path of its field; all of them at once. */
@NullMarked
package dev.orloj.api.validation;

import org.jspecify.annotations.NullMarked;
