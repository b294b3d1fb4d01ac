/** Copies of collections in memory, kept current by watching, and who is told of their changes. */
@NullMarked
package dev.orloj.controllers.informer;

import org.jspecify.annotations.NullMarked;
