//! kube-rs, typed and dynamic, over every kind that is served.
use std::error::Error;
use std::fmt::Debug;
use std::future::Future;
use std::time::Duration;

use futures::{StreamExt, TryStreamExt, pin_mut};
use k8s_openapi::api::authorization::v1::SelfSubjectAccessReview;
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::{ConfigMap, Event, Namespace, Pod, Secret, Service};
use k8s_openapi::api::events::v1::Event as NewEvent;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{
    Api, ApiResource, DeleteParams, DynamicObject, GroupVersionKind, ListParams, LogParams, Patch,
    PatchParams, PostParams, WatchEvent, WatchParams,
};
use kube::discovery::Discovery;
use kube::runtime::{WatchStreamExt, watcher};
use kube::{Client, Config};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const NAMESPACE: &str = "clients-rust";
type Outcome = Result<(), Box<dyn Error>>;

#[derive(Default)]
struct Checks {
    all: usize,
    failed: usize,
}

impl Checks {
    async fn check(&mut self, title: &str, action: impl Future<Output = Outcome>) {
        self.all += 1;
        let limited = tokio::time::timeout(Duration::from_secs(20), action).await;
        match limited.unwrap_or_else(|_| Err("not done in 20 s".into())) {
            Ok(()) => println!("ok {title}"),
            Err(e) => {
                self.failed += 1;
                println!("FAIL {title}: {}", format!("{e:?}").replace('\n', " "));
            }
        }
    }
}

fn expect(condition: bool, text: &str) -> Outcome {
    if condition { Ok(()) } else { Err(text.into()) }
}

/// The first event of a watch, by hand, and the first list of a watcher, as controllers see it.
async fn seen<K>(api: &Api<K>) -> Outcome
where
    K: kube::Resource + Clone + DeserializeOwned + Debug + Send + 'static,
{
    let events = api.watch(&WatchParams::default(), "0").await?;
    pin_mut!(events);
    match events.try_next().await? {
        Some(WatchEvent::Added(_)) => {}
        other => return Err(format!("not added: {other:?}").into()),
    }
    for config in [watcher::Config::default(), watcher::Config::default().streaming_lists()] {
        let objects = watcher(api.clone(), config).applied_objects();
        pin_mut!(objects);
        expect(objects.next().await.is_some_and(|object| object.is_ok()), "nothing watched")?;
    }
    Ok(())
}

async fn listed<K>(api: &Api<K>) -> Outcome
where
    K: Clone + DeserializeOwned + Debug,
{
    let list = api.list(&ListParams::default().labels("a=b")).await?;
    expect(list.items.len() == 1, "not one")?;
    let metadata = api.list_metadata(&ListParams::default()).await?;
    expect(metadata.items.iter().all(|item| item.metadata.uid.is_some()), "no uid")
}

/// Everything that may be done with an object, typed or not.
async fn life<K>(checks: &mut Checks, kind: &str, api: Api<K>, object: Value, change: Value)
where
    K: kube::Resource + Clone + DeserializeOwned + Serialize + Debug + Send + 'static,
{
    let post = PostParams::default();
    let mut made = object;
    made["metadata"] = json!({"name": "life", "namespace": NAMESPACE});
    let label = json!({"metadata": {"labels": {"a": "b"}}});
    checks.check(&format!("{kind}: create"), async {
        api.create(&post, &serde_json::from_value(made.clone())?).await?;
        Ok(())
    }).await;
    checks.check(&format!("{kind}: get"), async {
        expect(api.get("life").await?.meta().uid.is_some(), "no uid")?;
        api.get_metadata("life").await?;
        expect(api.get_opt("none").await?.is_none(), "there is one")
    }).await;
    checks.check(&format!("{kind}: merge patch"), async {
        api.patch("life", &PatchParams::default(), &Patch::Merge(&label)).await?;
        Ok(())
    }).await;
    checks.check(&format!("{kind}: update"), async {
        let found = api.get("life").await?;
        let mut changed = serde_json::to_value(&found)?;
        for (name, value) in change.as_object().ok_or("no object")? {
            changed[name] = value.clone();
        }
        let before = found.meta().resource_version.clone();
        let after = api.replace("life", &post, &serde_json::from_value(changed)?).await?;
        expect(after.meta().resource_version != before, "no new version")
    }).await;
    checks.check(&format!("{kind}: apply"), async {
        let applied = json!({
            "apiVersion": made["apiVersion"], "kind": made["kind"],
            "metadata": {"name": "life", "annotations": {"c": "d"}}});
        let rust = PatchParams::apply("rust").force();
        let after = api.patch("life", &rust, &Patch::Apply(&applied)).await?;
        let owners = after.meta().managed_fields.clone().unwrap_or_default();
        expect(owners.iter().any(|owner| owner.manager.as_deref() == Some("rust")), "no owner")
    }).await;
    checks.check(&format!("{kind}: list"), listed(&api)).await;
    checks.check(&format!("{kind}: watch"), seen(&api)).await;
    checks.check(&format!("{kind}: delete"), async {
        api.delete("life", &DeleteParams::default()).await?;
        let labelled = ListParams::default().labels("a=b");
        api.delete_collection(&DeleteParams::default(), &labelled).await?;
        expect(api.get_opt("life").await?.is_none(), "still there")
    }).await;
}

async fn typed(checks: &mut Checks, client: &Client) {
    let now = "2026-01-01T00:00:00.000000Z";
    let regarding = json!({"apiVersion": "orloj.dev/v1", "kind": "McpServer",
        "namespace": NAMESPACE, "name": "x"});
    let strategic = Patch::Strategic(json!({"data": {"c": "3"}}));
    life::<ConfigMap>(checks, "ConfigMap", Api::namespaced(client.clone(), NAMESPACE),
        json!({"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "1"}}),
        json!({"data": {"b": "2"}})).await;
    life::<Secret>(checks, "Secret", Api::namespaced(client.clone(), NAMESPACE),
        json!({"apiVersion": "v1", "kind": "Secret", "stringData": {"a": "1"}}),
        json!({"data": {"b": "Mg=="}})).await;
    life::<Lease>(checks, "Lease", Api::namespaced(client.clone(), NAMESPACE),
        json!({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
            "spec": {"holderIdentity": "me", "leaseDurationSeconds": 15, "renewTime": now}}),
        json!({"spec": {"holderIdentity": "you"}})).await;
    life::<Event>(checks, "Event of v1", Api::namespaced(client.clone(), NAMESPACE),
        json!({"apiVersion": "v1", "kind": "Event", "involvedObject": regarding,
            "reason": "Tested", "message": "m", "type": "Normal", "count": 1}),
        json!({"count": 2})).await;
    life::<NewEvent>(checks, "Event of events.k8s.io", Api::namespaced(client.clone(), NAMESPACE),
        json!({"apiVersion": "events.k8s.io/v1", "kind": "Event", "regarding": regarding,
            "reason": "Tested", "note": "m", "type": "Normal", "action": "Testing",
            "reportingController": "orloj.dev/test", "reportingInstance": "test-1",
            "eventTime": now}),
        json!({"series": {"count": 2, "lastObservedTime": now}})).await;
    let maps = Api::<ConfigMap>::namespaced(client.clone(), NAMESPACE);
    checks.check("ConfigMap: strategic merge patch", async {
        let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "s"}});
        maps.create(&PostParams::default(), &serde_json::from_value(map)?).await?;
        let after = maps.patch("s", &PatchParams::default(), &strategic).await?;
        expect(after.data.is_some_and(|data| data["c"] == "3"), "not patched")
    }).await;
}

/// What orlojd writes itself, of the server that is Ready in the namespace "default".
async fn projected(checks: &mut Checks, client: &Client) {
    let pods = Api::<Pod>::namespaced(client.clone(), "default");
    checks.check("Pod: list, get, and its log", async {
        let list = pods.list(&ListParams::default()).await?;
        let name = list.items[0].metadata.name.clone().ok_or("no name")?;
        let pod = pods.get(&name).await?;
        expect(pod.status.and_then(|status| status.phase).is_some(), "no phase")?;
        pods.logs(&name, &LogParams { tail_lines: Some(5), ..LogParams::default() }).await?;
        Ok(())
    }).await;
    checks.check("Pod: watch", seen(&pods)).await;
    checks.check("Service: list", async {
        Api::<Service>::all(client.clone()).list(&ListParams::default()).await?;
        Ok(())
    }).await;
    checks.check("Event of events.k8s.io: list of a server", async {
        let events = Api::<NewEvent>::namespaced(client.clone(), "default");
        let list = events.list(&ListParams::default()).await?;
        expect(!list.items.is_empty(), "no event")
    }).await;
    let definitions = Api::<CustomResourceDefinition>::all(client.clone());
    checks.check("CustomResourceDefinition: get", async {
        definitions.get("mcpservers.orloj.dev").await?;
        Ok(())
    }).await;
    checks.check("CustomResourceDefinition: watch", seen(&definitions)).await;
    checks.check("SelfSubjectAccessReview: create", async {
        let review = json!({"apiVersion": "authorization.k8s.io/v1",
            "kind": "SelfSubjectAccessReview",
            "spec": {"resourceAttributes": {"verb": "get", "resource": "tools"}}});
        let reviews = Api::<SelfSubjectAccessReview>::all(client.clone());
        let review = serde_json::from_value(review)?;
        let answer = reviews.create(&PostParams::default(), &review).await?;
        expect(answer.status.is_some_and(|status| status.allowed), "not allowed")
    }).await;
}

async fn dynamic(checks: &mut Checks, client: &Client) {
    let kinds = [
        ("McpServer", json!({"transport": "http", "endpoint": "http://127.0.0.1:9/mcp"}),
            json!({"transport": "http", "endpoint": "http://127.0.0.1:9/other"})),
        ("Tool", json!({"type": "mcp", "mcp_server_ref": "none", "mcp_tool_name": "t"}),
            json!({"type": "mcp", "mcp_server_ref": "none", "mcp_tool_name": "u"})),
        ("Sandbox", json!({"image": "none/none"}), json!({"image": "none/other"})),
        ("Secret", json!({"stringData": {"a": "1"}}), json!({"stringData": {"a": "2"}})),
    ];
    for (kind, before, after) in kinds {
        let resource = ApiResource::from_gvk(&GroupVersionKind::gvk("orloj.dev", "v1", kind));
        let api = Api::<DynamicObject>::namespaced_with(client.clone(), NAMESPACE, &resource);
        let object = json!({"apiVersion": "orloj.dev/v1", "kind": kind, "spec": before});
        dynamic_life(checks, kind, api, object, json!({"spec": after})).await;
    }
    checks.check("dynamic Call: list", async {
        let resource = ApiResource::from_gvk(&GroupVersionKind::gvk("orloj.dev", "v1", "Call"));
        let calls = Api::<DynamicObject>::namespaced_with(client.clone(), NAMESPACE, &resource);
        calls.list(&ListParams::default()).await?;
        Ok(())
    }).await;
}

/// As `life`, for objects whose type is not known when this is compiled.
async fn dynamic_life(
    checks: &mut Checks, kind: &str, api: Api<DynamicObject>, mut object: Value, change: Value,
) {
    let title = format!("dynamic {kind}");
    let rust = PatchParams::apply("rust").force();
    object["metadata"] = json!({"name": "c", "labels": {"a": "b"}});
    checks.check(&format!("{title}: create"), async {
        api.create(&PostParams::default(), &serde_json::from_value(object.clone())?).await?;
        Ok(())
    }).await;
    checks.check(&format!("{title}: get"), async {
        expect(api.get("c").await?.metadata.uid.is_some(), "no uid")
    }).await;
    checks.check(&format!("{title}: merge patch"), async {
        api.patch("c", &PatchParams::default(), &Patch::Merge(&change)).await?;
        Ok(())
    }).await;
    checks.check(&format!("{title}: apply"), async {
        let after = api.patch("c", &rust, &Patch::Apply(&object)).await?;
        expect(after.metadata.managed_fields.is_some(), "no owner")
    }).await;
    checks.check(&format!("{title}: update"), async {
        // A controller may write its status between the two; every client then tries again.
        let after = loop {
            let mut found = api.get("c").await?;
            found.metadata.annotations = Some([("c".into(), "d".into())].into());
            match api.replace("c", &PostParams::default(), &found).await {
                Err(kube::Error::Api(status)) if status.code == 409 => continue,
                answer => break answer?,
            }
        };
        expect(after.metadata.annotations.is_some(), "no annotation")
    }).await;
    checks.check(&format!("{title}: list"), listed(&api)).await;
    checks.check(&format!("{title}: watch"), async {
        let events = api.watch(&WatchParams::default(), "0").await?;
        pin_mut!(events);
        let first = events.try_next().await?;
        expect(matches!(first, Some(WatchEvent::Added(_))), "not added")
    }).await;
    checks.check(&format!("{title}: delete"), async {
        api.delete("c", &DeleteParams::default()).await?;
        Ok(())
    }).await;
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let client = Client::try_from(Config::new(std::env::var("SERVER")?.parse()?))?;
    let mut checks = Checks::default();
    checks.check("version", async { client.apiserver_version().await?; Ok(()) }).await;
    checks.check("discovery, of each group and aggregated", async {
        for found in [
            Discovery::new(client.clone()).run().await?,
            Discovery::new(client.clone()).run_aggregated().await?,
        ] {
            let server = GroupVersionKind::gvk("orloj.dev", "v1", "McpServer");
            expect(found.resolve_gvk(&server).is_some(), "no McpServer")?;
        }
        Ok(())
    }).await;
    let spaces = Api::<Namespace>::all(client.clone());
    checks.check("Namespace: create", async {
        let space = json!({"metadata": {"name": NAMESPACE}});
        spaces.create(&PostParams::default(), &serde_json::from_value(space)?).await?;
        Ok(())
    }).await;
    checks.check("Namespace: list", async {
        expect(spaces.list(&ListParams::default()).await?.items.len() > 1, "too few")
    }).await;
    checks.check("Namespace: watch", seen(&spaces)).await;
    typed(&mut checks, &client).await;
    projected(&mut checks, &client).await;
    dynamic(&mut checks, &client).await;
    checks.check("Namespace: delete", async {
        spaces.delete(NAMESPACE, &DeleteParams::default()).await?;
        Ok(())
    }).await;
    println!("{} checks, {} failed", checks.all, checks.failed);
    std::process::exit(i32::from(checks.failed > 0));
}
