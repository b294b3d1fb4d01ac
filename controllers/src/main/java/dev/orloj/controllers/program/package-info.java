/** What is known of the programs of servers: what they print, and which of them fetch others. */
@NullMarked
package dev.orloj.controllers.program;

import org.jspecify.annotations.NullMarked;
