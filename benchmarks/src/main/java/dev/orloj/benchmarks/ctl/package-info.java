/** The command line beside that of Kubernetes. */
@NullMarked
package dev.orloj.benchmarks.ctl;

import org.jspecify.annotations.NullMarked;
