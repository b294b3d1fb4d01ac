/** The endpoints of resources: create, get, list, update, patch, delete and scale. */
@NullMarked
package dev.orloj.server.rest.resource;

import org.jspecify.annotations.NullMarked;
