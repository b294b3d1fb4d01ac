/** Leader election among replicas. */
@NullMarked
package dev.orloj.server.leader;

import org.jspecify.annotations.NullMarked;
