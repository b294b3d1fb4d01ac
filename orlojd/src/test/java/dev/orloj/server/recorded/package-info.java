/** What orlojd answers on every route, written down, so that no change of the code changes it. */
@NullMarked
package dev.orloj.server.recorded;

import org.jspecify.annotations.NullMarked;
