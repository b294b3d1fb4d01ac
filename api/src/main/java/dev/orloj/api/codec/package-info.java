/** Converts between bytes and resources: manifests, schemas, and the registry of kinds. */
@NullMarked
package dev.orloj.api.codec;

import org.jspecify.annotations.NullMarked;
