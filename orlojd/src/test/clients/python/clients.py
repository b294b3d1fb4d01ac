"""The official Python client, typed and dynamic, over every kind that is served."""
import os

from kubernetes import client, dynamic, watch

import report

SERVER = os.environ["SERVER"]
NAMESPACE = "clients-python"

configuration = client.Configuration(host=SERVER)
api = client.ApiClient(configuration)
core = client.CoreV1Api(api)
leases = client.CoordinationV1Api(api)
events = client.EventsV1Api(api)
definitions = client.ApiextensionsV1Api(api)
custom = client.CustomObjectsApi(api)
META = lambda name: client.V1ObjectMeta(name=name, namespace=NAMESPACE)


def expect(condition, text):
    if not condition:
        raise AssertionError(text)


def first_event(function, **arguments):
    for event in watch.Watch().stream(function, timeout_seconds=5, **arguments):
        return event
    raise AssertionError("the watch ended without an event")


def life(kind, make, create, read, replace, patch, delete, listing, changed):
    """Everything that a typed client does with a kind that may be written."""
    report.check(f"{kind}: create", lambda: create(NAMESPACE, make("life")))
    report.check(f"{kind}: get", lambda: expect(read("life", NAMESPACE).metadata.uid, "no uid"))
    report.check(
        f"{kind}: patch",
        lambda: expect(
            patch("life", NAMESPACE, {"metadata": {"labels": {"a": "b"}}}).metadata.labels["a"] == "b",
            "no label",
        ),
    )

    def replaced():
        found = read("life", NAMESPACE)
        changed(found)
        return replace("life", NAMESPACE, found)

    report.check(f"{kind}: replace", replaced)
    report.check(
        f"{kind}: list by label",
        lambda: expect(
            [i.metadata.name for i in listing(NAMESPACE, label_selector="a=b").items] == ["life"],
            "not the one",
        ),
    )
    report.check(
        f"{kind}: watch",
        lambda: expect(
            first_event(listing, namespace=NAMESPACE)["object"].metadata.name, "no object"
        ),
    )
    report.check(f"{kind}: delete", lambda: delete("life", NAMESPACE))


def now():
    import datetime

    return datetime.datetime.now(datetime.timezone.utc)


report.check(
    "Namespace: create",
    lambda: core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name=NAMESPACE))),
)
report.check("Namespace: get", lambda: core.read_namespace(NAMESPACE))
report.check("Namespace: list", lambda: core.list_namespace())
report.check("Namespace: watch", lambda: first_event(core.list_namespace))

reference = client.V1ObjectReference(
    api_version="orloj.dev/v1", kind="McpServer", namespace=NAMESPACE, name="x"
)
life(
    "ConfigMap",
    lambda name: client.V1ConfigMap(metadata=META(name), data={"a": "1"}),
    core.create_namespaced_config_map,
    core.read_namespaced_config_map,
    core.replace_namespaced_config_map,
    core.patch_namespaced_config_map,
    core.delete_namespaced_config_map,
    core.list_namespaced_config_map,
    lambda found: found.data.update(b="2"),
)
life(
    "Secret",
    lambda name: client.V1Secret(metadata=META(name), string_data={"a": "1"}),
    core.create_namespaced_secret,
    core.read_namespaced_secret,
    core.replace_namespaced_secret,
    core.patch_namespaced_secret,
    core.delete_namespaced_secret,
    core.list_namespaced_secret,
    lambda found: found.data.update(b="Mg=="),
)
life(
    "Lease",
    lambda name: client.V1Lease(
        metadata=META(name),
        spec=client.V1LeaseSpec(holder_identity="me", lease_duration_seconds=15, renew_time=now()),
    ),
    leases.create_namespaced_lease,
    leases.read_namespaced_lease,
    leases.replace_namespaced_lease,
    leases.patch_namespaced_lease,
    leases.delete_namespaced_lease,
    leases.list_namespaced_lease,
    lambda found: setattr(found.spec, "holder_identity", "you"),
)
life(
    "Event of v1",
    lambda name: client.CoreV1Event(
        metadata=META(name),
        involved_object=reference,
        reason="Tested",
        message="m",
        type="Normal",
        first_timestamp=now(),
        last_timestamp=now(),
        count=1,
    ),
    core.create_namespaced_event,
    core.read_namespaced_event,
    core.replace_namespaced_event,
    core.patch_namespaced_event,
    core.delete_namespaced_event,
    core.list_namespaced_event,
    lambda found: setattr(found, "count", 2),
)
life(
    "Event of events.k8s.io",
    lambda name: client.EventsV1Event(
        metadata=META(name),
        regarding=reference,
        reason="Tested",
        note="m",
        type="Normal",
        action="Testing",
        reporting_controller="orloj.dev/test",
        reporting_instance="test-1",
        event_time=now(),
    ),
    events.create_namespaced_event,
    events.read_namespaced_event,
    events.replace_namespaced_event,
    events.patch_namespaced_event,
    events.delete_namespaced_event,
    events.list_namespaced_event,
    lambda found: setattr(
        found, "series", client.EventsV1EventSeries(count=2, last_observed_time=now())
    ),
)

# What orlojd writes itself, of the server that is Ready in the namespace "default".
report.check(
    "Pod: list", lambda: expect(core.list_namespaced_pod("default").items, "there is a server")
)
report.check("Pod: list of all namespaces", lambda: core.list_pod_for_all_namespaces())


def pod():
    name = core.list_namespaced_pod("default").items[0].metadata.name
    found = core.read_namespaced_pod(name, "default")
    expect(found.status.container_statuses[0].image_id is not None, "no imageID")
    core.read_namespaced_pod_log(name, "default")


report.check("Pod: get, with its log", pod)
report.check("Pod: watch", lambda: first_event(core.list_namespaced_pod, namespace="default"))
report.check("Service: list", lambda: core.list_service_for_all_namespaces())
report.check(
    "Event of v1: list of a server",
    lambda: expect(core.list_namespaced_event("default").items, "no event"),
)
report.check(
    "Event of events.k8s.io: list of a server",
    lambda: expect(events.list_namespaced_event("default").items, "no event"),
)
report.check(
    "CustomResourceDefinition: list",
    lambda: expect(definitions.list_custom_resource_definition().items, "none"),
)
report.check(
    "CustomResourceDefinition: get",
    lambda: definitions.read_custom_resource_definition("mcpservers.orloj.dev"),
)
report.check(
    "CustomResourceDefinition: watch",
    lambda: first_event(definitions.list_custom_resource_definition),
)
report.check(
    "SelfSubjectAccessReview: create",
    lambda: client.AuthorizationV1Api(api).create_self_subject_access_review(
        client.V1SelfSubjectAccessReview(
            spec=client.V1SelfSubjectAccessReviewSpec(
                resource_attributes=client.V1ResourceAttributes(verb="get", resource="tools")
            )
        )
    ),
)
report.check(
    "SelfSubjectReview: create",
    lambda: client.AuthenticationV1Api(api).create_self_subject_review(
        client.V1SelfSubjectReview()
    ),
)
# Generated clients ask with a slash at the end.
report.check("version", lambda: client.VersionApi(api).get_code())
report.check("groups", lambda: client.ApisApi(api).get_api_versions())
report.check("versions of the core group", lambda: client.CoreApi(api).get_api_versions())
report.check("resources of the core group", lambda: core.get_api_resources())

SPECS = {
    "mcpservers": {
        "transport": "http",
        "endpoint": "http://127.0.0.1:9/mcp",
        "reconnect": {"max_attempts": 1},
    },
    "tools": {"type": "mcp", "mcp_server_ref": "none", "mcp_tool_name": "t"},
    "sandboxes": {"image": "none/none"},
    "secrets": {"stringData": {"a": "1"}},
}
KINDS = {"mcpservers": "McpServer", "tools": "Tool", "sandboxes": "Sandbox", "secrets": "Secret"}


def body(plural, name):
    return {
        "apiVersion": "orloj.dev/v1",
        "kind": KINDS[plural],
        "metadata": {"name": name, "namespace": NAMESPACE},
        "spec": SPECS[plural],
    }


for plural in KINDS:
    args = ("orloj.dev", "v1", NAMESPACE, plural)
    report.check(
        f"{plural}: create", lambda: custom.create_namespaced_custom_object(*args, body(plural, "c"))
    )
    report.check(f"{plural}: get", lambda: custom.get_namespaced_custom_object(*args, "c"))
    report.check(
        f"{plural}: patch",
        lambda: custom.patch_namespaced_custom_object(
            *args, "c", {"metadata": {"labels": {"a": "b"}}}
        ),
    )
    report.check(
        f"{plural}: list",
        lambda: expect(
            len(custom.list_namespaced_custom_object(*args, label_selector="a=b")["items"]) == 1,
            "not one",
        ),
    )
    report.check(
        f"{plural}: delete", lambda: custom.delete_namespaced_custom_object(*args, "c")
    )
report.check(
    "calls: list",
    lambda: custom.list_namespaced_custom_object("orloj.dev", "v1", NAMESPACE, "calls"),
)

dynamic_client = report.check("dynamic: discovery", lambda: dynamic.DynamicClient(api))
for resource in dynamic_client.resources.search() if dynamic_client else []:
    if resource.kind.endswith("List"):
        continue
    title = f"dynamic {resource.group_version} {resource.kind}"
    if "list" in (resource.verbs or ()):
        report.check(f"{title}: list", lambda: resource.get())
    if "create" in (resource.verbs or ()) and resource.group == "orloj.dev" and resource.name in KINDS:
        made = body(resource.name, "d")

        def apply():
            resource.server_side_apply(made, namespace=NAMESPACE, field_manager="dynamic")
            for event in resource.watch(namespace=NAMESPACE, timeout=10):
                expect(event["object"].metadata.name == "d", "another one")
                break
            resource.delete(name="d", namespace=NAMESPACE)

        report.check(f"{title}: apply, watch, delete", apply)
report.check("Namespace: delete", lambda: core.delete_namespace(NAMESPACE))
report.close()
