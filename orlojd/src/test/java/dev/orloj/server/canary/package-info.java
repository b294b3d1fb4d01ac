/** Secret values in every place that a secret can be, looked for everywhere else. */
@NullMarked
package dev.orloj.server.canary;

import org.jspecify.annotations.NullMarked;
