/** Which of several replicas does what only one may do. */
@NullMarked
package dev.orloj.server.leader;

import org.jspecify.annotations.NullMarked;
