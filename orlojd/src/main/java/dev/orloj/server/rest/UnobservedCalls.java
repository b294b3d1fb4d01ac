package dev.orloj.server.rest;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationPredicate;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.server.observation.ServerRequestObservationContext;
import org.springframework.stereotype.Component;

/**
 * Leaves tool calls out of what is measured of every request: they are timed by themselves, with
 * their server and outcome, for a fraction of the cost.
 */
@Component
final class UnobservedCalls implements ObservationPredicate {

    @Override
    public boolean test(String name, Observation.Context context) {
        HttpServletRequest request =
                context instanceof ServerRequestObservationContext observed
                        ? observed.getCarrier()
                        : null;
        return request == null || !ToolCallFilter.isCall(request);
    }
}
