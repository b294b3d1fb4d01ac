/** Digests, Ed25519 signatures of checkpoints, and the notes that carry them. */
@NullMarked
package dev.orloj.api.signature;

import org.jspecify.annotations.NullMarked;
