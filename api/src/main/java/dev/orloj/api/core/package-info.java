/** The kinds of the Kubernetes API that Orloj serves. */
@NullMarked
package dev.orloj.api.core;

import org.jspecify.annotations.NullMarked;
