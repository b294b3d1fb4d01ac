package dev.orloj.runtime.container.network;

import java.util.Map;

/** The environment variables that configure a proxy for the programs of a container. */
final class ProxyVariables {

    private static final String NEAR = "localhost,127.0.0.1,::1";

    private ProxyVariables() {}

    /** Returns the variables in both spellings, because some programs read only one of them. */
    static Map<String, String> of(String url) {
        return Map.of(
                "HTTP_PROXY",
                url,
                "HTTPS_PROXY",
                url,
                "http_proxy",
                url,
                "https_proxy",
                url,
                "NO_PROXY",
                NEAR,
                "no_proxy",
                NEAR,
                // Node reads the other variables only if this one is set.
                "NODE_USE_ENV_PROXY",
                "1");
    }
}
