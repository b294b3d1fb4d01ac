/**
 * Server-side apply and the bookkeeping of field ownership that it needs. Works on JSON and schemas
 * alone; depends on neither requests nor storage.
 *
 * <p>The concepts are those of structured-merge-diff, the library behind the Kubernetes API server.
 */
@NullMarked
package dev.orloj.server.apply;

import org.jspecify.annotations.NullMarked;
