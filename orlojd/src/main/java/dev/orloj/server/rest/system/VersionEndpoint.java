package dev.orloj.server.rest.system;

import dev.orloj.server.rest.http.Responses;

import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Serves the version of the Kubernetes API that this API follows, and the release of Orloj. */
@RestController
class VersionEndpoint {

    private static final String KUBERNETES = "v1.32.4";

    private final Map<String, String> version = new LinkedHashMap<>();

    VersionEndpoint() {
        String release =
                Optional.ofNullable(getClass().getPackage().getImplementationVersion())
                        .orElse("dev");
        version.put("major", "1");
        version.put("minor", "32");
        version.put("gitVersion", KUBERNETES + "+orloj." + release);
        version.put("gitCommit", "");
        version.put("gitTreeState", "clean");
        version.put("buildDate", "1970-01-01T00:00:00Z");
        version.put("goVersion", "none");
        version.put("compiler", "javac");
        version.put("platform", platform());
    }

    private static String platform() {
        String os = System.getProperty("os.name", "").toLowerCase(java.util.Locale.ROOT);
        return os + "/" + System.getProperty("os.arch", "");
    }

    @GetMapping("/version")
    void version(HttpServletResponse response) throws IOException {
        Responses.json(response, 200, version);
    }
}
