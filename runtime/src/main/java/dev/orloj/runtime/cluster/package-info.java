/** Requests to the API server of a Kubernetes cluster. */
@NullMarked
package dev.orloj.runtime.cluster;

import org.jspecify.annotations.NullMarked;
