/** Request bodies in protobuf, which typed clients of the built-in kinds send. */
@NullMarked
package dev.orloj.server.protobuf;

import org.jspecify.annotations.NullMarked;
