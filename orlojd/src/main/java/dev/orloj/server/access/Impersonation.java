package dev.orloj.server.access;

import dev.orloj.api.ApiException;
import dev.orloj.server.authorization.Attributes;
import dev.orloj.server.authorization.UserInfo;
import dev.orloj.server.rest.http.PercentEncoding;
import dev.orloj.server.security.OpenPortGuard;

import jakarta.servlet.http.HttpServletRequest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The identity that the {@code Impersonate-} headers of a request ask for.
 *
 * @param parts each needs the verb {@code impersonate}
 */
record Impersonation(UserInfo user, List<Attributes> parts) {

    private static final String USER = "Impersonate-User";
    private static final String GROUP = "Impersonate-Group";
    private static final String UID = "Impersonate-Uid";
    private static final String EXTRA = "impersonate-extra-";
    private static final String AUTHENTICATION = "authentication.k8s.io";

    /**
     * The group that Kubernetes lets pass everything. It has no rights here, and cannot be taken
     * on.
     */
    private static final String MASTERS = "system:masters";

    /**
     * @throws ApiException (BadRequest) when there are headers without a user
     */
    static Optional<Impersonation> of(HttpServletRequest request) {
        if (OpenPortGuard.header(request).isEmpty()) {
            return Optional.empty();
        }
        String name = text(request.getHeader(USER));
        List<String> groups = Collections.list(request.getHeaders(GROUP));
        String uid = text(request.getHeader(UID));
        Map<String, List<String>> extra = extra(request);
        if (name.isEmpty()) {
            if (groups.isEmpty() && uid.isEmpty() && extra.isEmpty()) {
                return Optional.empty();
            }
            throw ApiException.badRequest(
                    "requested %s without impersonating a user"
                            .formatted(requested(groups, uid, extra)));
        }
        if (groups.contains(MASTERS)) {
            throw ApiException.badRequest(
                    "Impersonate-Group: %s cannot be impersonated".formatted(MASTERS));
        }
        UserInfo user = new UserInfo(name, uid, groups, extra);
        List<Attributes> parts = new ArrayList<>();
        parts.add(
                user.serviceAccount()
                        .map(account -> account.split("/", 2))
                        .map(account -> part("", "serviceaccounts", "", account[0], account[1]))
                        .orElseGet(() -> part("", "users", "", "", name)));
        groups.forEach(group -> parts.add(part("", "groups", "", "", group)));
        if (!uid.isEmpty()) {
            parts.add(part(AUTHENTICATION, "uids", "", "", uid));
        }
        extra.forEach(
                (key, values) ->
                        values.forEach(
                                value ->
                                        parts.add(
                                                part(
                                                        AUTHENTICATION,
                                                        "userextras",
                                                        key,
                                                        "",
                                                        value))));
        return Optional.of(new Impersonation(withImpliedGroups(user), parts));
    }

    private static Attributes part(
            String group, String resource, String subresource, String namespace, String name) {
        return new Attributes.OfResource(
                "impersonate", group, resource, subresource, namespace, name);
    }

    /** A ServiceAccount for which no groups are given has those of every ServiceAccount. */
    private static UserInfo withImpliedGroups(UserInfo user) {
        if (user.username().equals(UserInfo.ANONYMOUS.username())) {
            return UserInfo.ANONYMOUS;
        }
        Optional<String> account = user.serviceAccount();
        if (account.isEmpty() || !user.groups().isEmpty()) {
            return user.authenticated();
        }
        String namespace = account.get().substring(0, account.get().indexOf('/'));
        return new UserInfo(
                        user.username(),
                        user.uid(),
                        UserInfo.groupsOfAccounts(namespace),
                        user.extra())
                .authenticated();
    }

    private static Map<String, List<String>> extra(HttpServletRequest request) {
        Map<String, List<String>> extra = new LinkedHashMap<>();
        for (String header : Collections.list(request.getHeaderNames())) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith(EXTRA)) {
                String key = PercentEncoding.decode("header", lower.substring(EXTRA.length()));
                extra.computeIfAbsent(key, _ -> new ArrayList<>())
                        .addAll(Collections.list(request.getHeaders(header)));
            }
        }
        return extra;
    }

    private static String requested(
            List<String> groups, String uid, Map<String, List<String>> extra) {
        List<String> parts = new ArrayList<>();
        groups.forEach(group -> parts.add("group " + group));
        if (!uid.isEmpty()) {
            parts.add("uid " + uid);
        }
        extra.keySet().forEach(key -> parts.add("extra " + key));
        return parts.toString();
    }

    private static String text(@org.jspecify.annotations.Nullable String header) {
        return header == null ? "" : header;
    }
}
