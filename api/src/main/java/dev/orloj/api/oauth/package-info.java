/** How a manifest asks for OAuth access tokens. */
@NullMarked
package dev.orloj.api.oauth;

import org.jspecify.annotations.NullMarked;
