/** Tables of tokens and of the keys that sign them. */
@NullMarked
package dev.orloj.server.store.token;

import org.jspecify.annotations.NullMarked;
