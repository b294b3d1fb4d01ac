/** Empties namespaces that are being deleted. */
@NullMarked
package dev.orloj.controllers.namespace;

import org.jspecify.annotations.NullMarked;
