/** The schemas of all kinds, in the forms that clients of Kubernetes read. */
@NullMarked
package dev.orloj.server.openapi;

import org.jspecify.annotations.NullMarked;
