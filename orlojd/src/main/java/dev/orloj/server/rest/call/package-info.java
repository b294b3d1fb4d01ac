/** Tool calls over REST, and the traces and results of earlier calls. */
@NullMarked
package dev.orloj.server.rest.call;

import org.jspecify.annotations.NullMarked;
