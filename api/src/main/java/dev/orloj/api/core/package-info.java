/** The kinds of Kubernetes' own API that Orloj serves. */
@NullMarked
package dev.orloj.api.core;

import org.jspecify.annotations.NullMarked;
