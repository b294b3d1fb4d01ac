/** Runs servers and Sandboxes in Pods of a Kubernetes cluster, over their standard streams. */
@NullMarked
package dev.orloj.runtime.pod;

import org.jspecify.annotations.NullMarked;
