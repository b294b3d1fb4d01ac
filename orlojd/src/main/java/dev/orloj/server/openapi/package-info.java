/** The schemas of all kinds, in the formats that Kubernetes clients read. */
@NullMarked
package dev.orloj.server.openapi;

import org.jspecify.annotations.NullMarked;
