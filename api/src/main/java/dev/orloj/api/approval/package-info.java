/**
 * Which definitions of tools may be served: the policy of a server, what people approved or
 * rejected, and the decision that follows.
 */
@NullMarked
package dev.orloj.api.approval;

import org.jspecify.annotations.NullMarked;
