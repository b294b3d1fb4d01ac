/** The report cards of servers, from what their sessions showed. */
@NullMarked
package dev.orloj.controllers.report;

import org.jspecify.annotations.NullMarked;
