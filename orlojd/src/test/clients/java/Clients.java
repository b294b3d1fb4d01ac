import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import io.kubernetes.client.Discovery;
import io.kubernetes.client.apimachinery.GroupVersion;
import io.kubernetes.client.common.KubernetesListObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.apis.*;
import io.kubernetes.client.openapi.models.*;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.Watchable;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import io.kubernetes.client.util.generic.options.ListOptions;
import io.kubernetes.client.util.generic.options.PatchOptions;

import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The official client of Java, typed and dynamic, over every kind that is served. */
class Clients {

    private static final String NAMESPACE = "clients-java";
    private static final String LABEL = "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}";
    private static final int CONFLICT = 409;

    private static int checks;
    private static int failed;

    private final ApiClient client;

    Clients(ApiClient client) {
        this.client = client;
    }

    static void check(String title, Callable<?> action) {
        checks++;
        try {
            action.call();
            System.out.println("ok " + title);
        } catch (Exception | LinkageError e) {
            failed++;
            String body = e instanceof ApiException answer ? answer.getResponseBody() : "";
            System.out.println("FAIL %s: %s %s".formatted(title, e, body).replace('\n', ' '));
        }
    }

    static Void expect(boolean condition, String text) {
        if (!condition) {
            throw new IllegalStateException(text);
        }
        return null;
    }

    static <T> Void first(Watchable<T> watch) throws Exception {
        try (watch) {
            String type = watch.next().type;
            return expect(type.equals("ADDED"), type);
        }
    }

    /** Everything that may be done with an object, typed or not. */
    <T extends KubernetesObject, L extends KubernetesListObject> void life(
            String title, GenericKubernetesApi<T, L> api, T object, Consumer<T> change) {
        String name = object.getMetadata().getName();
        ListOptions labelled = new ListOptions();
        labelled.setLabelSelector("a=b");
        check(title + ": create", () -> api.create(object).throwsApiException());
        check(
                title + ": get",
                () -> {
                    T found = api.get(NAMESPACE, name).throwsApiException().getObject();
                    return expect(found.getMetadata().getCreationTimestamp() != null, "no time");
                });
        check(
                title + ": merge patch",
                () -> {
                    V1Patch patch = new V1Patch(LABEL);
                    return api.patch(NAMESPACE, name, V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, patch)
                            .throwsApiException();
                });
        check(
                title + ": json patch",
                () -> {
                    V1Patch patch =
                            new V1Patch(
                                    "[{\"op\":\"add\",\"path\":\"/metadata/labels/j\",\"value\":\"k\"}]");
                    return api.patch(NAMESPACE, name, V1Patch.PATCH_FORMAT_JSON_PATCH, patch)
                            .throwsApiException();
                });
        check(title + ": update", () -> updated(api, name, change));
        check(title + ": apply", () -> applied(api, object, name));
        check(
                title + ": list by label",
                () -> {
                    L list = api.list(NAMESPACE, labelled).throwsApiException().getObject();
                    return expect(list.getItems().size() == 1, "not one");
                });
        check(title + ": watch", () -> first(api.watch(NAMESPACE, new ListOptions())));
        check(title + ": delete", () -> api.delete(NAMESPACE, name).throwsApiException());
    }

    /** A controller may write its status between the two; every client then tries again. */
    private static <T extends KubernetesObject> Void updated(
            GenericKubernetesApi<T, ?> api, String name, Consumer<T> change) throws ApiException {
        while (true) {
            T found = api.get(NAMESPACE, name).throwsApiException().getObject();
            String before = found.getMetadata().getResourceVersion();
            change.accept(found);
            var answer = api.update(found);
            if (answer.getHttpStatusCode() != CONFLICT) {
                T after = answer.throwsApiException().getObject();
                return expect(!after.getMetadata().getResourceVersion().equals(before), "the same");
            }
        }
    }

    private static <T extends KubernetesObject> Void applied(
            GenericKubernetesApi<T, ?> api, T object, String name) throws ApiException {
        PatchOptions options = new PatchOptions();
        options.setFieldManager("java");
        options.setForce(true);
        String part =
                """
                {"apiVersion": "%s", "kind": "%s",
                 "metadata": {"name": "%s", "annotations": {"c": "d"}}}\
                """
                        .formatted(object.getApiVersion(), object.getKind(), name);
        T after =
                api.patch(
                                NAMESPACE,
                                name,
                                V1Patch.PATCH_FORMAT_APPLY_YAML,
                                new V1Patch(part),
                                options)
                        .throwsApiException()
                        .getObject();
        // The client drops managedFields when it reads typed objects.
        String applied = after.getMetadata().getAnnotations().get("c");
        return expect("d".equals(applied), "not applied: " + applied);
    }

    <T extends KubernetesObject, L extends KubernetesListObject> GenericKubernetesApi<T, L> api(
            Class<T> type, Class<L> list, String apiVersion, String plural) {
        GroupVersion of = GroupVersion.parse(apiVersion);
        return new GenericKubernetesApi<>(
                type, list, of.getGroup(), of.getVersion(), plural, client);
    }

    <T> T typed(Class<T> type, String apiVersion, String kind, String rest) {
        return JSON.deserialize(
                """
                {"apiVersion": "%s", "kind": "%s",
                 "metadata": {"name": "life", "namespace": "%s"}, %s}\
                """
                        .formatted(apiVersion, kind, NAMESPACE, rest),
                type);
    }

    void written() {
        life(
                "ConfigMap",
                api(V1ConfigMap.class, V1ConfigMapList.class, "v1", "configmaps"),
                typed(V1ConfigMap.class, "v1", "ConfigMap", "\"data\": {\"a\": \"1\"}"),
                found -> found.putDataItem("b", "2"));
        life(
                "Secret",
                api(V1Secret.class, V1SecretList.class, "v1", "secrets"),
                typed(V1Secret.class, "v1", "Secret", "\"stringData\": {\"a\": \"1\"}"),
                found -> found.putDataItem("b", new byte[] {2}));
        String leases = "coordination.k8s.io/v1";
        life(
                "Lease",
                api(V1Lease.class, V1LeaseList.class, leases, "leases"),
                typed(
                        V1Lease.class,
                        leases,
                        "Lease",
                        """
                        "spec": {"holderIdentity": "me", "leaseDurationSeconds": 15,
                         "renewTime": "2026-01-01T00:00:00.000000Z"}\
                        """),
                found -> found.getSpec().setHolderIdentity("you"));
        String of =
                """
                {"apiVersion": "orloj.dev/v1", "kind": "McpServer", "namespace": "%s",
                 "name": "x"}\
                """
                        .formatted(NAMESPACE);
        life(
                "Event of v1",
                api(CoreV1Event.class, CoreV1EventList.class, "v1", "events"),
                typed(
                        CoreV1Event.class,
                        "v1",
                        "Event",
                        """
                        "involvedObject": %s, "reason": "Tested", "message": "m",
                        "type": "Normal", "count": 1\
                        """
                                .formatted(of)),
                found -> found.setCount(2));
        String events = "events.k8s.io/v1";
        life(
                "Event of events.k8s.io",
                api(EventsV1Event.class, EventsV1EventList.class, events, "events"),
                typed(
                        EventsV1Event.class,
                        events,
                        "Event",
                        """
                        "regarding": %s, "reason": "Tested", "note": "m", "type": "Normal",
                        "action": "Testing", "reportingController": "orloj.dev/test",
                        "reportingInstance": "test-1",
                        "eventTime": "2026-01-01T00:00:00.000000Z"
                        """
                                .formatted(of)),
                found -> found.setNote("n"));
        generated();
    }

    /** As life, with the methods that are generated for one kind. */
    private void generated() {
        CoreV1Api core = new CoreV1Api(client);
        V1ConfigMap map = typed(V1ConfigMap.class, "v1", "ConfigMap", "\"data\": {\"a\": \"1\"}");
        check(
                "generated: create",
                () ->
                        core.createNamespacedConfigMap(NAMESPACE, map)
                                .fieldValidation("Strict")
                                .execute());
        check("generated: read", () -> core.readNamespacedConfigMap("life", NAMESPACE).execute());
        check(
                "generated: replace",
                () -> core.replaceNamespacedConfigMap("life", NAMESPACE, map).execute());
        check(
                "generated: delete",
                () -> core.deleteNamespacedConfigMap("life", NAMESPACE).execute());
        check(
                "generated: delete collection",
                () -> core.deleteCollectionNamespacedConfigMap(NAMESPACE).execute());
    }

    /** What orlojd writes itself, of the server that is Ready in the namespace "default". */
    void projected() {
        CoreV1Api core = new CoreV1Api(client);
        check(
                "Pod: list and get, with its log",
                () -> {
                    List<V1Pod> pods = core.listNamespacedPod("default").execute().getItems();
                    V1Pod pod =
                            core.readNamespacedPod(
                                            pods.getFirst().getMetadata().getName(), "default")
                                    .execute();
                    core.readNamespacedPodLog(pod.getMetadata().getName(), "default").execute();
                    return expect(
                            pod.getStatus().getContainerStatuses().getFirst().getImageID() != null,
                            "no image");
                });
        check("Pod: watch", () -> first(api(V1Pod.class, V1PodList.class, "v1", "pods").watch()));
        check("Service: list", () -> core.listServiceForAllNamespaces().execute());
        check("Event of v1: list", () -> core.listEventForAllNamespaces().execute());
        check(
                "Event of events.k8s.io: list of a server",
                () ->
                        expect(
                                !new EventsV1Api(client)
                                        .listNamespacedEvent("default")
                                        .execute()
                                        .getItems()
                                        .isEmpty(),
                                "no event"));
        check(
                "CustomResourceDefinition: list",
                () ->
                        expect(
                                new ApiextensionsV1Api(client)
                                                .listCustomResourceDefinition()
                                                .execute()
                                                .getItems()
                                                .stream()
                                                .anyMatch(
                                                        item ->
                                                                item.getMetadata()
                                                                        .getName()
                                                                        .equals(
                                                                                "mcpservers.orloj.dev")),
                                "not the one"));
        check(
                "CustomResourceDefinition: watch",
                () ->
                        first(
                                api(
                                                V1CustomResourceDefinition.class,
                                                V1CustomResourceDefinitionList.class,
                                                "apiextensions.k8s.io/v1",
                                                "customresourcedefinitions")
                                        .watch()));
        check(
                "SelfSubjectAccessReview: create",
                () -> {
                    V1SelfSubjectAccessReview review =
                            JSON.deserialize(
                                    "{\"spec\":{\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"tools\"}}}",
                                    V1SelfSubjectAccessReview.class);
                    return expect(
                            new AuthorizationV1Api(client)
                                    .createSelfSubjectAccessReview(review)
                                    .execute()
                                    .getStatus()
                                    .getAllowed(),
                            "not allowed");
                });
    }

    void dynamic() {
        dynamic(
                "McpServer",
                "mcpservers",
                "{\"transport\": \"http\", \"endpoint\": \"http://127.0.0.1:9/mcp\"}");
        dynamic(
                "Tool",
                "tools",
                "{\"type\": \"mcp\", \"mcp_server_ref\": \"none\", \"mcp_tool_name\": \"t\"}");
        dynamic("Sandbox", "sandboxes", "{\"image\": \"none/none\"}");
        dynamic("Secret", "secrets", "{\"stringData\": {\"a\": \"1\"}}");
        check(
                "dynamic Call: list",
                () ->
                        new DynamicKubernetesApi("orloj.dev", "v1", "calls", client)
                                .list(NAMESPACE)
                                .throwsApiException());
    }

    private void dynamic(String kind, String plural, String spec) {
        JsonObject raw =
                JsonParser.parseString(
                                """
                                {"apiVersion": "orloj.dev/v1", "kind": "%s",
                                 "metadata": {"name": "c", "namespace": "%s"}, "spec": %s}\
                                """
                                        .formatted(kind, NAMESPACE, spec))
                        .getAsJsonObject();
        DynamicKubernetesApi api = new DynamicKubernetesApi("orloj.dev", "v1", plural, client);
        life(
                "dynamic " + kind,
                api,
                new DynamicKubernetesObject(raw.deepCopy()),
                found -> found.setMetadata(found.getMetadata().putAnnotationsItem("e", "f")));
        check("dynamic " + kind + ": informer", () -> informer(api, raw));
    }

    private Void informer(DynamicKubernetesApi api, JsonObject raw) throws Exception {
        SharedInformerFactory factory = new SharedInformerFactory(client);
        SharedIndexInformer<DynamicKubernetesObject> informer =
                factory.sharedIndexInformerFor(api, DynamicKubernetesObject.class, 0, NAMESPACE);
        CompletableFuture<String> added = new CompletableFuture<>();
        informer.addEventHandler(
                new io.kubernetes.client.informer.ResourceEventHandler<>() {
                    @Override
                    public void onAdd(DynamicKubernetesObject object) {
                        added.complete(object.getMetadata().getName());
                    }

                    @Override
                    public void onUpdate(
                            DynamicKubernetesObject before, DynamicKubernetesObject after) {}

                    @Override
                    public void onDelete(DynamicKubernetesObject object, boolean isOld) {}
                });
        factory.startAllRegisteredInformers();
        DynamicKubernetesObject made = new DynamicKubernetesObject(raw.deepCopy());
        made.setMetadata(new V1ObjectMeta().name("informed").namespace(NAMESPACE));
        try {
            api.create(made).throwsApiException();
            return expect(added.get(20, TimeUnit.SECONDS) != null, "nothing");
        } finally {
            factory.stopAllRegisteredInformers();
            api.delete(NAMESPACE, "informed");
        }
    }

    public static void main(String... args) {
        ApiClient client = new ClientBuilder().setBasePath(System.getenv("SERVER")).build();
        Clients clients = new Clients(client);
        CoreV1Api core = new CoreV1Api(client);
        check("version", () -> new VersionApi(client).getCode().execute());
        check("groups", () -> new ApisApi(client).getAPIVersions().execute());
        check("resources of the core group", () -> core.getAPIResources().execute());
        check(
                "discovery",
                () -> {
                    Set<String> found =
                            new Discovery(client)
                                    .findAll().stream()
                                            .map(Discovery.APIResource::getKind)
                                            .collect(Collectors.toSet());
                    return expect(
                            found.containsAll(Set.of("McpServer", "Pod", "Lease")),
                            found.toString());
                });
        V1Namespace space = new V1Namespace().metadata(new V1ObjectMeta().name(NAMESPACE));
        check("Namespace: create", () -> core.createNamespace(space).execute());
        check("Namespace: list", () -> core.listNamespace().execute());
        check(
                "Namespace: watch",
                () ->
                        first(
                                clients.api(
                                                V1Namespace.class,
                                                V1NamespaceList.class,
                                                "v1",
                                                "namespaces")
                                        .watch()));
        clients.written();
        clients.projected();
        clients.dynamic();
        check("Namespace: delete", () -> core.deleteNamespace(NAMESPACE).execute());
        System.out.println("%d checks, %d failed".formatted(checks, failed));
        System.exit(failed > 0 ? 1 : 0);
    }
}
