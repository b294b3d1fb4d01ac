package dev.orloj.server.audit;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.server.authorization.UserInfo;
import dev.orloj.server.rest.request.ApiPath;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.UUID;

/**
 * Writes entries as Events of {@code audit.k8s.io/v1}. Every part has a bound, because clients
 * choose most of them. Bodies, arguments, results and headers with credentials are in none.
 */
final class AuditEvents {

    private static final int MAX_TEXT = 512;
    private static final int MAX_GROUPS = 64;
    private static final String TOOLS = "tools";
    private static final String ORLOJ = "orloj.dev";
    private static final String CALL = "call";

    /** The parameters that change what a request does; others may hold anything. */
    private static final Set<String> PARAMETERS =
            Set.of(
                    "dryRun",
                    "fieldManager",
                    "fieldSelector",
                    "force",
                    "gracePeriodSeconds",
                    "labelSelector",
                    "propagationPolicy");

    /** Facts of a user that identify it or its credential. */
    private static final Set<String> FACTS =
            Set.of("authentication.kubernetes.io/credential-id", UserInfo.ISSUER, UserInfo.SUBJECT);

    private final String replica;

    /**
     * @param replica the name of this replica, which is in every event
     */
    AuditEvents(String replica) {
        this.replica = replica;
    }

    String text(CoalescedEntry coalesced) {
        AuditEntry entry = coalesced.first();
        AuditEntry.Received request = entry.request();
        ObjectNode event = event(request.at(), coalesced.last().ended());
        event.put("requestURI", uri(request));
        Optional<ApiPath> path = entry.tool().isPresent() ? Optional.empty() : path(request.uri());
        event.put("verb", verb(entry, path));
        event.set("user", user(entry.user()));
        entry.impersonated().ifPresent(who -> event.set("impersonatedUser", user(who)));
        event.putArray("sourceIPs").add(request.address());
        if (request.userAgent() != null) {
            event.put("userAgent", bounded(request.userAgent()));
        }
        entry.tool().ifPresent(tool -> event.set("objectRef", reference(tool)));
        path.ifPresent(read -> event.set("objectRef", reference(read, entry)));
        event.set("responseStatus", status(entry.code()));
        ObjectNode annotations = event.putObject("annotations");
        annotations.put("orloj.dev/replica", replica);
        put(annotations, "orloj.dev/call-id", entry.callId());
        put(annotations, "orloj.dev/error", entry.error());
        put(annotations, "orloj.dev/trace-id", traceId(request.traceParent()));
        if (coalesced.count() > 1) {
            annotations.put("orloj.dev/calls", Integer.toString(coalesced.count()));
        }
        return text(event);
    }

    /** Returns an event about the log itself. */
    String ofTheLog(Instant now, String verb, String annotation, String value) {
        ObjectNode event = event(now, now);
        event.put("requestURI", "").put("verb", verb);
        event.putObject("user").put("username", "system:orlojd");
        event.putObject("objectRef").put("resource", "auditevents").put("apiGroup", ORLOJ);
        event.putObject("annotations")
                .put("orloj.dev/replica", replica)
                .put(annotation, bounded(value));
        return text(event);
    }

    private static ObjectNode event(Instant received, Instant ended) {
        return Json.MAPPER
                .createObjectNode()
                .put("kind", "Event")
                .put("apiVersion", "audit.k8s.io/v1")
                .put("level", "Metadata")
                .put("auditID", UUID.randomUUID().toString())
                .put("stage", "ResponseComplete")
                .put("requestReceivedTimestamp", micros(received))
                .put("stageTimestamp", micros(ended));
    }

    /** A text that UTF-8 cannot encode would fail its whole batch. */
    private static String text(ObjectNode event) {
        String text = Json.MAPPER.writeValueAsString(event);
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    private static String micros(Instant time) {
        return time.truncatedTo(ChronoUnit.MICROS).toString();
    }

    private static Optional<ApiPath> path(String uri) {
        if (!uri.startsWith("/api/") && !uri.startsWith("/apis/")) {
            return Optional.empty();
        }
        try {
            return ApiPath.parse(uri);
        } catch (ApiException e) { // an invalid encoding
            return Optional.empty();
        }
    }

    private static String verb(AuditEntry entry, Optional<ApiPath> path) {
        String method = entry.request().method();
        if (entry.tool().isPresent() || path.filter(read -> isCall(method, read)).isPresent()) {
            return CALL;
        }
        if (path.isEmpty()) {
            return bounded(method.toLowerCase(Locale.ROOT));
        }
        boolean isOne = !path.get().name().isEmpty();
        return switch (method) {
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> isOne ? "delete" : "deletecollection";
            case "GET", "HEAD" -> isOne ? "get" : "list";
            default -> bounded(method.toLowerCase(Locale.ROOT));
        };
    }

    private static boolean isCall(String method, ApiPath path) {
        return method.equals("POST")
                && path.group().equals(ORLOJ)
                && path.plural().equals(TOOLS)
                && path.rest().equals(List.of(CALL));
    }

    private static ObjectNode reference(ResourceKey tool) {
        return Json.MAPPER
                .createObjectNode()
                .put("resource", TOOLS)
                .put("namespace", bounded(tool.namespace()))
                .put("name", bounded(tool.name()))
                .put("apiGroup", ORLOJ)
                .put("apiVersion", "v1");
    }

    private static ObjectNode reference(ApiPath path, AuditEntry entry) {
        ObjectNode reference = Json.MAPPER.createObjectNode();
        reference.put("resource", bounded(path.plural()));
        boolean isNamespace = path.group().isEmpty() && path.plural().equals("namespaces");
        put(reference, "namespace", isNamespace ? path.name() : path.namespace());
        put(reference, "name", path.name().isEmpty() ? entry.name() : path.name());
        put(reference, "apiGroup", path.group());
        put(reference, "apiVersion", path.version());
        boolean isCall = isCall(entry.request().method(), path);
        put(reference, "subresource", isCall ? "" : String.join("/", path.rest()));
        return reference;
    }

    private static ObjectNode user(UserInfo user) {
        ObjectNode node = Json.MAPPER.createObjectNode().put("username", bounded(user.username()));
        put(node, "uid", user.uid());
        ArrayNode groups = node.putArray("groups");
        user.groups().stream().limit(MAX_GROUPS).forEach(group -> groups.add(bounded(group)));
        ObjectNode extra = Json.MAPPER.createObjectNode();
        for (String fact : FACTS.stream().sorted().toList()) {
            List<String> values = user.extra().getOrDefault(fact, List.of());
            if (!values.isEmpty()) {
                ArrayNode array = extra.putArray(fact);
                values.stream().limit(MAX_GROUPS).forEach(value -> array.add(bounded(value)));
            }
        }
        if (!extra.isEmpty()) {
            node.set("extra", extra);
        }
        return node;
    }

    private static ObjectNode status(int code) {
        ObjectNode status = Json.MAPPER.createObjectNode();
        status.putObject("metadata");
        if (code >= 400) {
            status.put("status", "Failure");
            reason(code).ifPresent(reason -> status.put("reason", reason));
        }
        return status.put("code", code);
    }

    /** Empty where several reasons have the code. */
    private static Optional<String> reason(int code) {
        List<ErrorReason> reasons =
                Arrays.stream(ErrorReason.values())
                        .filter(reason -> reason.code() == code)
                        .toList();
        return reasons.size() == 1 ? Optional.of(reasons.getFirst().wireName()) : Optional.empty();
    }

    private static String uri(AuditEntry.Received request) {
        StringJoiner kept = new StringJoiner("&", "?", "").setEmptyValue("");
        if (request.query() != null) {
            for (String part : request.query().split("&", -1)) {
                int sign = part.indexOf('=');
                if (PARAMETERS.contains(sign < 0 ? part : part.substring(0, sign))) {
                    kept.add(part);
                }
            }
        }
        return bounded(request.uri()) + bounded(kept.toString());
    }

    private static String traceId(@Nullable String parent) {
        return parent != null && parent.matches("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
                ? parent.substring(3, 35)
                : "";
    }

    private static void put(ObjectNode node, String field, String value) {
        if (!value.isEmpty()) {
            node.put(field, bounded(value));
        }
    }

    private static String bounded(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
    }
}
