/** The hash chain of the audit log, its checkpoints, and their verification. */
@NullMarked
package dev.orloj.api.audit;

import org.jspecify.annotations.NullMarked;
