/** What one client waits for when there are very many resources. */
@NullMarked
package dev.orloj.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
