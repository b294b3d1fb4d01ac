/** The resource model: the common parts of every kind, the events of changes, and the errors. */
@NullMarked
package dev.orloj.api;

import org.jspecify.annotations.NullMarked;
