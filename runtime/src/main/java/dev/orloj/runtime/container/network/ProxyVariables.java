package dev.orloj.runtime.container.network;

import java.util.Map;

/** What tells programs of a container that their way out is a proxy. */
final class ProxyVariables {

    private static final String NEAR = "localhost,127.0.0.1,::1";

    private ProxyVariables() {}

    /** In both spellings, for some programs look at one of them only. */
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
                // Node looks at the others only when it is told to.
                "NODE_USE_ENV_PROXY",
                "1");
    }
}
