/** Creates, lists and revokes tokens. */
@NullMarked
package dev.orloj.cli.token;

import org.jspecify.annotations.NullMarked;
