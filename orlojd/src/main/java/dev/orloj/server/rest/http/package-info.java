/** HTTP for all REST endpoints: requests, responses, errors, media types. */
@NullMarked
package dev.orloj.server.rest.http;

import org.jspecify.annotations.NullMarked;
