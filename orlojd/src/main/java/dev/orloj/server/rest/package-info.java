/** The HTTP front door: the resource API as Kubernetes clients know it, and calls of tools. */
@NullMarked
package dev.orloj.server.rest;

import org.jspecify.annotations.NullMarked;
