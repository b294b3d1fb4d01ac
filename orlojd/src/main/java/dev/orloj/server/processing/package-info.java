/** Where requests that keep a processor busy are worked on, so that others get through. */
@NullMarked
package dev.orloj.server.processing;

import org.jspecify.annotations.NullMarked;
