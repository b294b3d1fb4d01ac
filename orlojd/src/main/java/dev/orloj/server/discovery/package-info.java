/** The API discovery of the server. */
@NullMarked
package dev.orloj.server.discovery;

import org.jspecify.annotations.NullMarked;
