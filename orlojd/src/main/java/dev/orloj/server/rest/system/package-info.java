/** Discovery, OpenAPI, probes, version and access reviews. */
@NullMarked
package dev.orloj.server.rest.system;

import org.jspecify.annotations.NullMarked;
