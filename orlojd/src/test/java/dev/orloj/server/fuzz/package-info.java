/** Wrong values for all that can be sent: no answer is a 5xx, and none names anything of Java. */
@NullMarked
package dev.orloj.server.fuzz;

import org.jspecify.annotations.NullMarked;
