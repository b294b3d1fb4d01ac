/** Notices clients that go away while they are being served. */
@NullMarked
package dev.orloj.server.hangup;

import org.jspecify.annotations.NullMarked;
