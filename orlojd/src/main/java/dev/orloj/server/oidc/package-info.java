/** Verifies the tokens of external issuers (OpenID Connect, JWT). */
@NullMarked
package dev.orloj.server.oidc;

import org.jspecify.annotations.NullMarked;
