/** Decides what a user may do, with the rules of Kubernetes RBAC. */
@NullMarked
package dev.orloj.server.authorization;

import org.jspecify.annotations.NullMarked;
