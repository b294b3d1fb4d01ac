/** The forms in which resources are shown: whole, as metadata, as a table. */
@NullMarked
package dev.orloj.server.rest.presentation;

import org.jspecify.annotations.NullMarked;
