/** Selects the tools of a server that orlojd offers. */
@NullMarked
package dev.orloj.controllers.toolfilter;

import org.jspecify.annotations.NullMarked;
