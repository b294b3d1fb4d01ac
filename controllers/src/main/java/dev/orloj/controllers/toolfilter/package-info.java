/** Which tools of a server are offered. */
@NullMarked
package dev.orloj.controllers.toolfilter;

import org.jspecify.annotations.NullMarked;
