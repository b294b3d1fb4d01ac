/** Shows, exports and verifies the audit log. */
@NullMarked
package dev.orloj.cli.audit;

import org.jspecify.annotations.NullMarked;
