/** Which program is process 1 of a container, for engines that have none of their own. */
@NullMarked
package dev.orloj.runtime.container.init;

import org.jspecify.annotations.NullMarked;
