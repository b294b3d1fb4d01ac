"""A kopf operator that labels each McpServer of a namespace, and the check that it did."""
import asyncio
import os
import threading
import time

import kopf
from kubernetes import client

import report

SERVER = os.environ["SERVER"]
NAMESPACE = "clients-kopf"
custom = client.CustomObjectsApi(client.ApiClient(client.Configuration(host=SERVER)))
ARGS = ("orloj.dev", "v1", NAMESPACE, "mcpservers")
seen = []


@kopf.on.login()
def login(**_):
    return kopf.ConnectionInfo(server=SERVER, insecure=True)


@kopf.on.startup()
def configure(settings, **_):
    settings.persistence.finalizer = "orloj.dev/kopf-test"
    settings.posting.enabled = True


@kopf.on.create("orloj.dev", "v1", "mcpservers")
def created(name, patch, **_):
    patch.metadata.labels["kopf"] = "created"
    seen.append(f"created {name}")


@kopf.on.delete("orloj.dev", "v1", "mcpservers")
def deleted(name, **_):
    seen.append(f"deleted {name}")


def wait(condition, text):
    end = time.monotonic() + 30
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{text} has not happened in 30 s; seen: {seen}")
        time.sleep(0.1)


def get():
    return custom.get_namespaced_custom_object(*ARGS, "operated")


def gone():
    try:
        get()
        return False
    except client.ApiException as e:
        return e.status == 404


core = client.CoreV1Api(client.ApiClient(client.Configuration(host=SERVER)))
core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name=NAMESPACE)))
stop, ready = threading.Event(), threading.Event()
operator = threading.Thread(
    target=lambda: asyncio.run(
        kopf.operator(
            namespaces=[NAMESPACE], standalone=True, stop_flag=stop, ready_flag=ready
        )
    )
)
operator.start()
report.check("kopf: starts", lambda: ready.wait(30) or 1 / 0)
report.check(
    "kopf: create",
    lambda: custom.create_namespaced_custom_object(
        *ARGS,
        {
            "apiVersion": "orloj.dev/v1",
            "kind": "McpServer",
            "metadata": {"name": "operated", "namespace": NAMESPACE},
            "spec": {"transport": "http", "endpoint": "http://127.0.0.1:9/mcp"},
        },
    ),
)
report.check(
    "kopf: handler of a creation, with a patch",
    lambda: wait(
        lambda: get()["metadata"].get("labels", {}).get("kopf") == "created", "the label"
    ),
)
report.check("kopf: delete", lambda: custom.delete_namespaced_custom_object(*ARGS, "operated"))
report.check(
    "kopf: handler of a deletion, with a finalizer",
    lambda: wait(lambda: gone() and "deleted operated" in seen, "the deletion"),
)
stop.set()
operator.join(30)
report.close()
