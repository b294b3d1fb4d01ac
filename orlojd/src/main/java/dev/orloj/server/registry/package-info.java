/** The verbs of the resource API, the same for every kind, on top of the store. */
@NullMarked
package dev.orloj.server.registry;

import org.jspecify.annotations.NullMarked;
