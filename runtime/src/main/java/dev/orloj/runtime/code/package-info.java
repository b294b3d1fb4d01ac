/** Finds what runs behind the definitions of a server, for the decision whether it gets calls. */
@NullMarked
package dev.orloj.runtime.code;

import org.jspecify.annotations.NullMarked;
