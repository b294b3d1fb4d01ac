/** What an older orlojd left behind is served by this one. */
@NullMarked
package dev.orloj.server.upgrade;

import org.jspecify.annotations.NullMarked;
