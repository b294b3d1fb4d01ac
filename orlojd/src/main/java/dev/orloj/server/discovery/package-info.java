/** What the server tells about the resources it has. */
@NullMarked
package dev.orloj.server.discovery;

import org.jspecify.annotations.NullMarked;
