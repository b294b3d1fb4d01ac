/** What every benchmark is given: how hard to try, where to work, processes to work with. */
@NullMarked
package dev.orloj.benchmarks.suite;

import org.jspecify.annotations.NullMarked;
