/** Runs servers in Pods of a Kubernetes cluster and attaches to their standard streams. */
@NullMarked
package dev.orloj.runtime.pod;

import org.jspecify.annotations.NullMarked;
