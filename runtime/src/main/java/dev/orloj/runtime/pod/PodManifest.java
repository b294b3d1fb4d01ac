package dev.orloj.runtime.pod;

import dev.orloj.api.pod.PodTemplate;
import dev.orloj.api.pod.Toleration;
import dev.orloj.runtime.container.spec.ContainerIsolation;
import dev.orloj.runtime.container.spec.ContainerLabels;
import dev.orloj.runtime.container.spec.ContainerLimits;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ContainerUser;
import dev.orloj.runtime.container.spec.NetworkAccess;
import dev.orloj.runtime.workload.WorkloadException;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The manifest of the Pod of a server: as isolated as the profile {@code restricted} of the Pod
 * Security Standards requires, and with a read-only root. Values of variables and files are in a
 * Secret, because more people can read Pods than Secrets.
 *
 * @param name of the Pod
 * @param spec the container
 * @param template what is added; where it contradicts what isolates the Pod, it has no effect
 * @param replica the orlojd that the Pod belongs to
 * @param owner reference to the owner of the Pod; empty for none
 * @param marks annotations of a Pod that later runs of orlojd may adopt; empty for any other
 */
record PodManifest(
        String name,
        ContainerSpec spec,
        PodTemplate template,
        String replica,
        Map<String, String> owner,
        Map<String, String> marks) {

    /** The name of the one container. */
    static final String CONTAINER = "server";

    /** The label by which NetworkPolicies select Pods: none, isolated or bridge. */
    static final String NETWORK = "orloj.dev/network";

    /** A relaxation of a Pod whose main program is a server. */
    static final String MESSAGES_IN_LOG = "the log of the Pod contains all messages of the server";

    private static final String SECRETS_VOLUME = "secrets";
    private static final int READABLE_BY_GROUP = 0440;
    private static final long NANOS_PER_MILLICPU = 1_000_000;
    private static final int MAX_LABEL = 63;
    private static final Pattern LABEL =
            Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");

    /** A reference to a variable in a command or an argument, which Kubernetes would expand. */
    private static final Pattern VARIABLE = Pattern.compile("\\$(?=\\()");

    PodManifest {
        requireSupported(spec);
    }

    private static void requireSupported(ContainerSpec spec) {
        ContainerIsolation isolation = spec.isolation();
        if (!isolation.network().allowHosts().isEmpty()) {
            throw new WorkloadException(
                    "network.allow_hosts: a NetworkPolicy cannot limit a Pod to host names; remove"
                            + " it, or set network.mode: none");
        }
        if (spec.trustsImage()) {
            throw new WorkloadException(
                    "trust_image_config: orlojd does not read the declaration of an image that runs"
                            + " in a Pod; write command and args into the manifest");
        }
        if (!spec.mounts().isEmpty()) {
            throw new WorkloadException(
                    "mounts: a Pod has no folders of the host of orlojd; remove them, and copy what"
                            + " is needed into the image");
        }
        if (!isolation.user().isEmpty() && !ContainerUser.isNumeric(isolation.user())) {
            throw new WorkloadException(
                    "resources.user: a Pod needs a numeric user, such as 1000:1000, and not \"%s\""
                            .formatted(isolation.user()));
        }
    }

    /** Returns the labels that select all Pods of this orlojd. */
    static String selector(String replica) {
        return "%s=true,%s=%s".formatted(ContainerLabels.MANAGED, ContainerLabels.REPLICA, replica);
    }

    Map<String, Object> pod() {
        return Map.of("apiVersion", "v1", "kind", "Pod", "metadata", metadata(), "spec", podSpec());
    }

    private Map<String, Object> metadata() {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", name);
        metadata.put("labels", labels());
        metadata.put("annotations", annotations());
        if (!owner.isEmpty()) {
            metadata.put("ownerReferences", List.of(owner));
        }
        return metadata;
    }

    /** The namespace and the name may be too long for labels. */
    private Map<String, String> annotations() {
        Map<String, String> annotations = new LinkedHashMap<>(template.annotations());
        annotations.put(ContainerLabels.NAMESPACE, spec.owner().namespace());
        annotations.put(ContainerLabels.SERVER, spec.owner().server());
        annotations.putAll(marks);
        return annotations;
    }

    private Map<String, String> labels() {
        ContainerOwner server = spec.owner();
        Map<String, String> labels = new LinkedHashMap<>(template.labels());
        labels.put("app.kubernetes.io/managed-by", "orlojd");
        labels.put(ContainerLabels.MANAGED, "true");
        labels.put(ContainerLabels.REPLICA, replica);
        labels.put(NETWORK, network());
        labels.put(ContainerLabels.UID, server.uid());
        labels.put(ContainerLabels.NAMESPACE, server.namespace());
        labels.put(ContainerLabels.SERVER, server.server());
        labels.values().removeIf(value -> !isLabelValue(value));
        return labels;
    }

    private static boolean isLabelValue(String text) {
        return text.length() <= MAX_LABEL && LABEL.matcher(text).matches();
    }

    private String network() {
        return spec.isolation().network().mode().name().toLowerCase(Locale.ROOT);
    }

    /** Returns the user of the container. It is numeric, so that the kubelet can verify it. */
    ContainerUser user() {
        String user = spec.isolation().user();
        return user.isEmpty() ? ContainerUser.UNPRIVILEGED : ContainerUser.numeric(user);
    }

    private Map<String, Object> podSpec() {
        Map<String, Object> pod = new LinkedHashMap<>();
        pod.put("restartPolicy", "Never");
        pod.put("automountServiceAccountToken", false);
        pod.put("enableServiceLinks", false);
        // The server is not process 1 then: signals have their usual effect, and no zombies stay.
        pod.put("shareProcessNamespace", true);
        pod.put("securityContext", podSecurity());
        putUnlessEmpty(pod, "runtimeClassName", runtimeClass());
        putUnlessEmpty(pod, "imagePullSecrets", pullSecrets());
        pod.put("containers", List.of(container()));
        pod.put("volumes", volumes());
        pod.put("tolerations", tolerations());
        putUnlessEmpty(pod, "nodeSelector", template.nodeSelector());
        putUnlessEmpty(pod, "topologySpreadConstraints", template.topologySpreadConstraints());
        putUnlessEmpty(pod, "priorityClassName", template.priorityClassName());
        if (template.affinity() != null) {
            pod.put("affinity", template.affinity());
        }
        return pod;
    }

    private static void putUnlessEmpty(Map<String, Object> pod, String field, Object value) {
        boolean empty =
                switch (value) {
                    case String text -> text.isEmpty();
                    case List<?> list -> list.isEmpty();
                    case Map<?, ?> map -> map.isEmpty();
                    default -> false;
                };
        if (!empty) {
            pod.put(field, value);
        }
    }

    /** The choice of the operator goes before that of the manifest. */
    private String runtimeClass() {
        String configured = spec.isolation().runtime();
        return configured.isEmpty() ? template.runtimeClassName() : configured;
    }

    private List<Map<String, String>> pullSecrets() {
        List<Map<String, String>> secrets = new ArrayList<>();
        if (spec.image().credential().isPresent()) {
            secrets.add(Map.of("name", name));
        }
        template.imagePullSecrets().forEach(secret -> secrets.add(Map.of("name", secret)));
        return secrets;
    }

    /**
     * Kubernetes adds 300 s by default, in which the server of a lost node cannot be replaced. Of
     * several tolerations that match a taint, the shortest time counts, so none of the template
     * changes that.
     */
    private List<Toleration> tolerations() {
        List<Toleration> tolerations = new ArrayList<>(template.tolerations());
        tolerations.add(tolerates("not-ready"));
        tolerations.add(tolerates("unreachable"));
        return tolerations;
    }

    private static Toleration tolerates(String condition) {
        return new Toleration("node.kubernetes.io/" + condition, "Exists", "", "NoExecute", 30L);
    }

    private Map<String, Object> podSecurity() {
        Map<String, Object> security = new LinkedHashMap<>();
        String[] user = user().text().split(":", 2);
        security.put("runAsNonRoot", !user().isRoot());
        security.put("runAsUser", Long.valueOf(user[0]));
        security.put("runAsGroup", Long.valueOf(user[1]));
        security.put("fsGroup", Long.valueOf(user[1]));
        security.put("seccompProfile", Map.of("type", "RuntimeDefault"));
        return security;
    }

    private Map<String, Object> container() {
        Map<String, Object> container = new LinkedHashMap<>();
        container.put("name", CONTAINER);
        container.put("image", spec.image().name());
        container.put(
                "imagePullPolicy",
                switch (spec.image().pullPolicy()) {
                    case ALWAYS -> "Always";
                    case IF_NOT_PRESENT -> "IfNotPresent";
                    case NEVER -> "Never";
                });
        if (!spec.entrypoint().isEmpty()) {
            container.put("command", literal(spec.entrypoint()));
        }
        if (!spec.args().isEmpty()) {
            container.put("args", literal(spec.args()));
        }
        container.put("stdin", true);
        // The end of the connection is the end of stdin, unless there may be another one.
        container.put("stdinOnce", marks.isEmpty());
        container.put("env", env());
        container.put("resources", resources());
        container.put("securityContext", CONTAINER_SECURITY);
        container.put("volumeMounts", mounts());
        // The last lines of a server that fails before orlojd is attached to it.
        container.put("terminationMessagePolicy", "FallbackToLogsOnError");
        return container;
    }

    private static final Map<String, Object> CONTAINER_SECURITY =
            Map.of(
                    "allowPrivilegeEscalation",
                    false,
                    "privileged",
                    false,
                    "readOnlyRootFilesystem",
                    true,
                    "capabilities",
                    Map.of("drop", List.of("ALL")));

    private static List<String> literal(List<String> words) {
        return words.stream().map(word -> VARIABLE.matcher(word).replaceAll("\\$\\$")).toList();
    }

    private List<Map<String, Object>> env() {
        List<Map<String, Object>> env = new ArrayList<>();
        if (!spec.env().containsKey("HOME")) {
            // The root is read-only, and many programs keep a cache below HOME.
            env.add(Map.of("name", "HOME", "value", "/tmp"));
        }
        int index = 0;
        for (String variable : spec.env().keySet()) {
            env.add(
                    Map.of(
                            "name",
                            variable,
                            "valueFrom",
                            Map.of(
                                    "secretKeyRef",
                                    Map.of("name", name, "key", PodSecret.variable(index++)))));
        }
        return env;
    }

    private Map<String, Object> resources() {
        ContainerLimits limits = spec.isolation().limits();
        String memory = Long.toString(limits.memoryBytes());
        String cpu = limits.nanoCpus() / NANOS_PER_MILLICPU + "m";
        return Map.of(
                "limits", Map.of("memory", memory, "cpu", cpu),
                // An idle server needs next to no processor time, so only memory is reserved.
                "requests", Map.of("memory", memory, "cpu", "10m"));
    }

    private List<Map<String, Object>> mounts() {
        List<Map<String, Object>> mounts = new ArrayList<>();
        mounts.add(Map.of("name", "tmp", "mountPath", "/tmp"));
        for (int i = 0; i < spec.secretFiles().size(); i++) {
            mounts.add(
                    Map.of(
                            "name",
                            SECRETS_VOLUME,
                            "mountPath",
                            spec.secretFiles().get(i).path(),
                            "subPath",
                            PodSecret.file(i),
                            "readOnly",
                            true));
        }
        return mounts;
    }

    private List<Map<String, Object>> volumes() {
        List<Map<String, Object>> volumes = new ArrayList<>();
        volumes.add(
                Map.of(
                        "name",
                        "tmp",
                        "emptyDir",
                        Map.of(
                                "medium",
                                "Memory",
                                "sizeLimit",
                                Long.toString(spec.isolation().limits().tmpBytes()))));
        if (!spec.secretFiles().isEmpty()) {
            volumes.add(
                    Map.of(
                            "name",
                            SECRETS_VOLUME,
                            "secret",
                            Map.of(
                                    "secretName",
                                    name,
                                    "defaultMode",
                                    READABLE_BY_GROUP,
                                    "items",
                                    fileItems())));
        }
        return volumes;
    }

    private List<Map<String, Object>> fileItems() {
        List<Map<String, Object>> items = new ArrayList<>();
        for (int i = 0; i < spec.secretFiles().size(); i++) {
            items.add(Map.of("key", PodSecret.file(i), "path", PodSecret.file(i)));
        }
        return items;
    }

    /** Returns what of the isolation is weaker than in a container, or not known. */
    List<String> relaxations() {
        List<String> relaxations = new ArrayList<>();
        if (user().isRoot()) {
            relaxations.add("runs as root");
        }
        relaxations.add("the node limits its processes, not the manifest");
        relaxations.add("files in /tmp can be executed");
        if (spec.isolation().network().mode() == NetworkAccess.Mode.BRIDGE) {
            relaxations.add("reaches other Pods and Services of the cluster");
        } else {
            relaxations.add(
                    "its network depends on the NetworkPolicies of the namespace, and orlojd does"
                            + " not verify that the cluster enforces them");
        }
        relaxations.add(MESSAGES_IN_LOG);
        return relaxations;
    }
}
