/** The file of a backup: its header, and how its tables are written, read and verified. */
@NullMarked
package dev.orloj.api.backup;

import org.jspecify.annotations.NullMarked;
