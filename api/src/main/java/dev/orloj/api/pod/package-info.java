/** What a manifest can say about the Pods that a server runs in. */
@NullMarked
package dev.orloj.api.pod;

import org.jspecify.annotations.NullMarked;
