/** What is told of the containers of servers: images on their way, and how they are closed in. */
@NullMarked
package dev.orloj.controllers.container;

import org.jspecify.annotations.NullMarked;
