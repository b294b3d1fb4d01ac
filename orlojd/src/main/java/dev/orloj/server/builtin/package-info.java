/**
 * Kinds that clients of Kubernetes look for and that nobody can write here: their resources follow
 * from what the server is.
 */
@NullMarked
package dev.orloj.server.builtin;

import org.jspecify.annotations.NullMarked;
