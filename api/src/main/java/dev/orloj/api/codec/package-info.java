/** From bytes to resources and back: manifests, schemas and the registry of kinds. */
@NullMarked
package dev.orloj.api.codec;

import org.jspecify.annotations.NullMarked;
