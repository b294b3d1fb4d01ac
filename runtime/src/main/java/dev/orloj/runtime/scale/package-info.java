/** Scales what runs servers over HTTP in a cluster to zero replicas and back. */
@NullMarked
package dev.orloj.runtime.scale;

import org.jspecify.annotations.NullMarked;
