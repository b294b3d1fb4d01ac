/** Records who wrote and called what, in a table whose rows are chained by hashes. */
@NullMarked
package dev.orloj.server.audit;

import org.jspecify.annotations.NullMarked;
