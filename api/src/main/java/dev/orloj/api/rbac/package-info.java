/** The kinds of {@code rbac.authorization.k8s.io/v1}: who may do what. */
@NullMarked
package dev.orloj.api.rbac;

import org.jspecify.annotations.NullMarked;
