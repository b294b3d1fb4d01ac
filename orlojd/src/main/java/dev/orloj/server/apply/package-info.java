/**
 * Who owns which field of a resource: server-side apply and the bookkeeping that it needs. Works on
 * JSON and schemas alone; knows neither requests nor storage.
 *
 * <p>The ideas are those of structured-merge-diff, the library behind the Kubernetes API server.
 */
@NullMarked
package dev.orloj.server.apply;

import org.jspecify.annotations.NullMarked;
