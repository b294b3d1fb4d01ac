/** Paths and parameters of the Kubernetes-compatible API. */
@NullMarked
package dev.orloj.server.rest.request;

import org.jspecify.annotations.NullMarked;
