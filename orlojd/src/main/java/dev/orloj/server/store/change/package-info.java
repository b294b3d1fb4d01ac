/** The change log, and the lists and watches that read it. */
@NullMarked
package dev.orloj.server.store.change;

import org.jspecify.annotations.NullMarked;
