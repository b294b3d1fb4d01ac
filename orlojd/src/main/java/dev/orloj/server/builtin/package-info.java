/**
 * Read-only kinds that Kubernetes clients look up: their resources are derived from the server
 * itself.
 */
@NullMarked
package dev.orloj.server.builtin;

import org.jspecify.annotations.NullMarked;
