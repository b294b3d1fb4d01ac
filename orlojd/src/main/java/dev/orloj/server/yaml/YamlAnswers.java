package dev.orloj.server.yaml;

import dev.orloj.api.ApiException;
import dev.orloj.api.codec.Json;
import dev.orloj.server.processing.Processing;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ContentCachingResponseWrapper;

import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Converts JSON responses, including errors, to YAML for clients that prefer it ({@code Accept:
 * application/yaml}). Does not apply to streaming responses, such as watches.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 12)
final class YamlAnswers extends OncePerRequestFilter {

    private static final String YAML = "application/yaml";
    private static final String JSON = "application/json";
    private static final String ACCEPT = "Accept";

    private static final YAMLMapper MAPPER =
            YAMLMapper.builder()
                    .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
                    .disable(YAMLWriteFeature.SPLIT_LINES)
                    .build();

    private final Processing processing;

    YamlAnswers(Processing processing) {
        this.processing = processing;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        String path = request.getRequestURI();
        String query = request.getQueryString();
        boolean served =
                path.startsWith("/api/")
                        || path.startsWith("/apis/")
                        || path.equals("/api")
                        || path.equals("/apis")
                        || path.equals("/version");
        boolean goesOn =
                (query != null && (query.contains("watch=") || query.contains("follow=")))
                        || path.endsWith("/log")
                        || path.endsWith("/call");
        return !served || goesOn || !prefersYaml(request.getHeader(ACCEPT));
    }

    /** Returns whether the header names YAML before any type that matches JSON. */
    private static boolean prefersYaml(@Nullable String accept) {
        for (String part : accept == null ? new String[0] : accept.split(",", -1)) {
            String type = part.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
            if (type.equals(YAML)) {
                return true;
            }
            if (List.of(JSON, "application/*", "*/*").contains(type)) {
                return false;
            }
        }
        return false;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        ContentCachingResponseWrapper answer = new ContentCachingResponseWrapper(response);
        chain.doFilter(new JsonRequest(request), answer);
        String type = answer.getContentType();
        byte[] body = answer.getContentAsByteArray();
        if (body.length > 0
                && type != null
                && type.startsWith(JSON)
                && !answer.containsHeader("Content-Encoding")) {
            Optional<byte[]> yaml = yaml(request, body);
            if (yaml.isPresent()) {
                answer.resetBuffer();
                answer.setContentType(YAML);
                answer.setContentLength(yaml.get().length);
                answer.getOutputStream().write(yaml.get());
            }
        }
        answer.copyBodyToResponse();
    }

    /**
     * Returns empty when too many requests wait: the request has succeeded, and its response
     * remains JSON.
     */
    private Optional<byte[]> yaml(HttpServletRequest request, byte[] json) throws IOException {
        try {
            return Optional.of(
                    processing.run(
                            request, () -> MAPPER.writeValueAsBytes(Json.MAPPER.readTree(json))));
        } catch (ApiException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** The same request with a preference for JSON. */
    private static final class JsonRequest extends HttpServletRequestWrapper {

        JsonRequest(HttpServletRequest request) {
            super(request);
        }

        @Override
        public @Nullable String getHeader(String name) {
            if (name.equalsIgnoreCase(ACCEPT)) {
                return JSON;
            }
            // Compression would hide the content.
            return name.equalsIgnoreCase("Accept-Encoding") ? null : super.getHeader(name);
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            String value = getHeader(name);
            return name.equalsIgnoreCase(ACCEPT)
                    ? Collections.enumeration(List.of(JSON))
                    : value == null ? Collections.emptyEnumeration() : super.getHeaders(name);
        }
    }
}
