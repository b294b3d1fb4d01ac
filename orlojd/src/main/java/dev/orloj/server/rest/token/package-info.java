/** Endpoints that issue, list, revoke and review tokens. */
@NullMarked
package dev.orloj.server.rest.token;

import org.jspecify.annotations.NullMarked;
