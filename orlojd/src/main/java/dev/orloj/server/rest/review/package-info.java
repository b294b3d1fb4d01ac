/** Reviews of manifests and servers over the API: a kind that is only created, and never stored. */
@NullMarked
package dev.orloj.server.rest.review;

import org.jspecify.annotations.NullMarked;
