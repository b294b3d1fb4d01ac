/** Unmodified clients of Kubernetes, of many languages, against an orlojd. */
@NullMarked
package dev.orloj.server.clients;

import org.jspecify.annotations.NullMarked;
