/** Reports the containers of servers: image pulls and isolation. */
@NullMarked
package dev.orloj.controllers.container;

import org.jspecify.annotations.NullMarked;
