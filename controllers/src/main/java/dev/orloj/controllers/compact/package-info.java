/** Resources in the form in which caches hold very many of them. */
@NullMarked
package dev.orloj.controllers.compact;

import org.jspecify.annotations.NullMarked;
