package dev.orloj.runtime.transport.http;

import dev.orloj.runtime.network.AddressRotation;

import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;

/**
 * Sends requests to all endpoints. Thread-safe.
 *
 * @param http follows no redirects and repeats no requests
 * @param addresses looks up the hosts of endpoints
 */
public record EndpointClient(CloseableHttpClient http, AddressRotation addresses) {}
