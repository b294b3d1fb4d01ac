/** The choice of process 1 of a container, for engines without an init of their own. */
@NullMarked
package dev.orloj.runtime.container.init;

import org.jspecify.annotations.NullMarked;
