/** Processing of CPU-bound requests without starving the others. */
@NullMarked
package dev.orloj.server.processing;

import org.jspecify.annotations.NullMarked;
