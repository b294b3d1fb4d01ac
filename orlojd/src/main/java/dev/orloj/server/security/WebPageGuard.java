package dev.orloj.server.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsProcessor;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.cors.DefaultCorsProcessor;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Rejects requests of web pages to a server that trusts every client. A browser sends requests on
 * behalf of any page, including one from another port of this machine; it names the page's origin
 * in {@code Origin} and {@code Sec-Fetch-Site}. Admits only the server's own origin and configured
 * ones. Command-line tools and other programs send neither header.
 */
public final class WebPageGuard implements RequestGuard {

    private static final Set<String> READS = Set.of("GET", "HEAD");
    private static final String RESOURCE_METADATA = "/.well-known/oauth-protected-resource";
    private static final String REMEDY =
            "; orloj.security.allowed-origins (ORLOJ_SECURITY_ALLOWED_ORIGINS) lets pages in";

    private final AllowedOrigins everywhere;
    private final AllowedOrigins mcp;
    private final CorsProcessor processor = new DefaultCorsProcessor();
    private final CorsConfiguration cors = cors();

    /**
     * @param everywhere pages that may use all endpoints
     * @param mcp further pages that may use the MCP endpoints
     */
    public WebPageGuard(AllowedOrigins everywhere, AllowedOrigins mcp) {
        this.everywhere = everywhere;
        this.mcp = mcp;
    }

    private static CorsConfiguration cors() {
        CorsConfiguration cors = new CorsConfiguration();
        cors.setAllowedOriginPatterns(
                List.of("*")); // origins that are not configured are rejected earlier
        cors.setAllowedMethods(List.of("*"));
        cors.setAllowedHeaders(List.of("*"));
        cors.setExposedHeaders(
                List.of(
                        "Mcp-Session-Id",
                        "Location",
                        "Warning",
                        "Retry-After",
                        "WWW-Authenticate"));
        cors.setMaxAge(Duration.ofMinutes(10));
        return cors;
    }

    @Override
    public boolean admits(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String header = request.getHeader("Origin");
        Optional<WebOrigin> origin = Optional.ofNullable(header).flatMap(WebOrigin::parse);
        if (origin.filter(page -> isListed(page, request)).isPresent()) {
            return processor.processRequest(cors, request, response)
                    && !CorsUtils.isPreFlightRequest(request);
        }
        if (header != null && origin.filter(page -> isOwn(page, request)).isEmpty()) {
            Refusals.forbid(
                    response,
                    "requests from the web page \"%s\" are refused".formatted(header) + REMEDY);
            return false;
        }
        if (!isOwnSite(request)) {
            Refusals.forbid(
                    response,
                    "requests for pages of another origin are refused (Sec-Fetch-Site \"%s\", method %s)"
                                    .formatted(
                                            request.getHeader("Sec-Fetch-Site"),
                                            request.getMethod())
                            + REMEDY);
            return false;
        }
        return true;
    }

    private boolean isListed(WebOrigin origin, HttpServletRequest request) {
        return everywhere.contains(origin) || isOfMcp(request) && mcp.contains(origin);
    }

    private static boolean isOfMcp(HttpServletRequest request) {
        return request.getServletPath().equals("/mcp")
                || request.getRequestURI().startsWith(RESOURCE_METADATA);
    }

    /**
     * Returns whether a page comes from the server itself, under a name that no public site can
     * have.
     */
    private static boolean isOwn(WebOrigin origin, HttpServletRequest request) {
        Authority host = Authority.parse(request.getHeader("Host"));
        return host.isUnclaimable()
                && origin.equals(WebOrigin.of(request.getScheme(), host.host(), host.port()));
    }

    /**
     * Returns whether a request without a foreign Origin is not from the page of another site:
     * browsers omit Origin in requests for images and the like. A user who enters an address
     * ({@code none}) may read.
     */
    private static boolean isOwnSite(HttpServletRequest request) {
        return switch (request.getHeader("Sec-Fetch-Site")) {
            case null -> true;
            case "same-origin" -> Authority.parse(request.getHeader("Host")).isUnclaimable();
            case "none" -> READS.contains(request.getMethod());
            default -> false;
        };
    }
}
