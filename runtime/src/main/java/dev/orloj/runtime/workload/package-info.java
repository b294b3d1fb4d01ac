/** Things with standard streams and an end: host processes, who is alive and who must die. */
@NullMarked
package dev.orloj.runtime.workload;

import org.jspecify.annotations.NullMarked;
