/** The table of the audit log. */
@NullMarked
package dev.orloj.server.store.audit;

import org.jspecify.annotations.NullMarked;
