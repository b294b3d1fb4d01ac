/** Converts resources to a form in which a cache can hold very many of them. */
@NullMarked
package dev.orloj.controllers.compact;

import org.jspecify.annotations.NullMarked;
