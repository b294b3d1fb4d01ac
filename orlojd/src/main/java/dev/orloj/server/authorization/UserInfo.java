package dev.orloj.server.authorization;

import dev.orloj.api.Frozen;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The user of a request. The name and the groups are what rules refer to.
 *
 * @param uid identifies the user over time; empty when the source of the user has none
 * @param extra further facts from the source of the user, such as the id of the credential
 */
public record UserInfo(
        String username, String uid, List<String> groups, Map<String, List<String>> extra) {

    /** The group of everyone whose credential was valid. */
    public static final String AUTHENTICATED = "system:authenticated";

    /** Key in {@link #extra}: the external issuer that knows the user. */
    public static final String ISSUER = "orloj.dev/issuer";

    /** Key in {@link #extra}: what that issuer calls the user, for ever. */
    public static final String SUBJECT = "orloj.dev/subject";

    private static final String UNAUTHENTICATED = "system:unauthenticated";
    private static final String SERVICE_ACCOUNT = "system:serviceaccount:";

    /** The user of a request without a credential. */
    public static final UserInfo ANONYMOUS =
            new UserInfo("system:anonymous", "", List.of(UNAUTHENTICATED), Map.of());

    public UserInfo {
        groups = List.copyOf(groups);
        extra = Frozen.map(extra);
    }

    /**
     * Uses the name and the uid alone: most users differ in them, and each request looks up its
     * user.
     */
    @Override
    public int hashCode() {
        return 31 * username.hashCode() + uid.hashCode();
    }

    /** Returns the user with the group of all whose credential was valid. */
    public UserInfo authenticated() {
        if (groups.contains(AUTHENTICATED) || groups.contains(UNAUTHENTICATED)) {
            return this;
        }
        List<String> all = new ArrayList<>(groups);
        all.add(AUTHENTICATED);
        return new UserInfo(username, uid, all, extra);
    }

    /** Returns the name that a ServiceAccount has as a user. */
    public static String nameOfAccount(String namespace, String name) {
        return SERVICE_ACCOUNT + namespace + ":" + name;
    }

    /** Returns the groups that every ServiceAccount of a namespace is in. */
    public static List<String> groupsOfAccounts(String namespace) {
        return List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace);
    }

    /** Returns namespace and name of the ServiceAccount as {@code namespace/name}, if it is one. */
    public Optional<String> serviceAccount() {
        if (!username.startsWith(SERVICE_ACCOUNT)) {
            return Optional.empty();
        }
        String[] parts = username.substring(SERVICE_ACCOUNT.length()).split(":", -1);
        return parts.length == 2 && !parts[0].isEmpty() && !parts[1].isEmpty()
                ? Optional.of(parts[0] + "/" + parts[1])
                : Optional.empty();
    }
}
