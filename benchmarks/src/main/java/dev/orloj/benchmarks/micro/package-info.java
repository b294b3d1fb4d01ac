/** Steps of the hot paths, one by one, measured by JMH beside the least that the step can cost. */
@NullMarked
package dev.orloj.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
