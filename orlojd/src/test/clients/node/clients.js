// The official client of JavaScript, typed and dynamic, over every kind that is served.
import * as k8s from '@kubernetes/client-node';

const NAMESPACE = 'clients-node';
let checks = 0;
let failed = 0;

async function check(title, action) {
  checks++;
  try {
    await action();
    console.log(`ok ${title}`);
  } catch (e) {
    failed++;
    console.log(`FAIL ${title}: ${e.constructor.name}: ${String(e.message).slice(0, 500)}`);
  }
}

function expect(condition, text) {
  if (!condition) throw new Error(text);
}

const config = new k8s.KubeConfig();
config.loadFromOptions({
  clusters: [{ name: 'orlojd', server: process.env.SERVER, skipTLSVerify: true }],
  users: [{ name: 'none' }],
  contexts: [{ name: 'orlojd', cluster: 'orlojd', user: 'none' }],
  currentContext: 'orlojd',
});
const core = config.makeApiClient(k8s.CoreV1Api);
const leases = config.makeApiClient(k8s.CoordinationV1Api);
const events = config.makeApiClient(k8s.EventsV1Api);
const definitions = config.makeApiClient(k8s.ApiextensionsV1Api);
const custom = config.makeApiClient(k8s.CustomObjectsApi);
const objects = k8s.KubernetesObjectApi.makeApiClient(config);
const watch = new k8s.Watch(config);
const metadata = (name) => ({ name, namespace: NAMESPACE });
const merge = k8s.setHeaderOptions('Content-Type', 'application/merge-patch+json');

/** The first object of a watch. */
async function firstOf(path) {
  const first = {};
  first.promise = new Promise((resolve, reject) => Object.assign(first, { resolve, reject }));
  const late = setTimeout(() => first.reject(new Error('no event in 10 s')), 10_000);
  const stop = await watch.watch(path, {}, (type, object) => first.resolve(object), (e) =>
    first.reject(e ?? new Error('the watch ended')));
  try {
    return await first.promise;
  } finally {
    clearTimeout(late);
    stop.abort();
  }
}

async function life(kind, api, noun, path, body, change) {
  const at = { name: 'life', namespace: NAMESPACE };
  const call = (verb, more) => api[`${verb}Namespaced${noun}`]({ ...at, ...more });
  await check(`${kind}: create`, () => call('create', { body }));
  await check(`${kind}: get`, async () => expect((await call('read')).metadata.uid, 'no uid'));
  await check(`${kind}: patch`, async () => {
    const patch = { metadata: { labels: { a: 'b' } } };
    const patched = await api[`patchNamespaced${noun}`]({ ...at, body: patch }, merge);
    expect(patched.metadata.labels.a === 'b', 'no label');
  });
  await check(`${kind}: replace`, async () => {
    const found = await call('read');
    change(found);
    await call('replace', { body: found });
  });
  await check(`${kind}: list by label`, async () => {
    const list = await api[`listNamespaced${noun}`]({ namespace: NAMESPACE, labelSelector: 'a=b' });
    expect(list.items.length === 1 && list.items[0].metadata.name === 'life', 'not the one');
    expect(list.items[0].metadata.creationTimestamp instanceof Date, 'no time of creation');
  });
  await check(`${kind}: watch`, () => firstOf(path));
  await check(`${kind}: delete`, () => call('delete'));
}

await check('Namespace: create', () =>
  core.createNamespace({ body: { metadata: { name: NAMESPACE } } }));
await check('Namespace: get', () => core.readNamespace({ name: NAMESPACE }));
await check('Namespace: list', () => core.listNamespace());
await check('Namespace: watch', () => firstOf('/api/v1/namespaces'));

const inside = `/namespaces/${NAMESPACE}`;
const regarding = { apiVersion: 'orloj.dev/v1', kind: 'McpServer', namespace: NAMESPACE, name: 'x' };
const now = new Date();
const micro = new k8s.V1MicroTime(now.toISOString());
await life('ConfigMap', core, 'ConfigMap', `/api/v1${inside}/configmaps`,
  { metadata: metadata('life'), data: { a: '1' } }, (found) => (found.data.b = '2'));
await life('Secret', core, 'Secret', `/api/v1${inside}/secrets`,
  { metadata: metadata('life'), stringData: { a: '1' } }, (found) => (found.data.b = 'Mg=='));
await life('Event of v1', core, 'Event', `/api/v1${inside}/events`,
  { metadata: metadata('life'), involvedObject: regarding, reason: 'Tested', message: 'm',
    type: 'Normal', count: 1, firstTimestamp: now, lastTimestamp: now },
  (found) => (found.count = 2));
await life('Event of events.k8s.io', events, 'Event', `/apis/events.k8s.io/v1${inside}/events`,
  { metadata: metadata('life'), regarding, reason: 'Tested', note: 'm', type: 'Normal',
    action: 'Testing', reportingController: 'orloj.dev/test', reportingInstance: 'test-1',
    eventTime: micro },
  (found) => (found.series = { count: 2, lastObservedTime: micro }));
await life('Lease', leases, 'Lease', `/apis/coordination.k8s.io/v1${inside}/leases`,
  { metadata: metadata('life'),
    spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: micro } },
  (found) => (found.spec.holderIdentity = 'you'));

// What orlojd writes itself, of the server that is Ready in the namespace "default".
await check('Pod: list and get, with its log', async () => {
  const { items } = await core.listNamespacedPod({ namespace: 'default' });
  expect(items.length > 0, 'there is a server');
  const at = { name: items[0].metadata.name, namespace: 'default' };
  const pod = await core.readNamespacedPod(at);
  expect(typeof pod.status.containerStatuses[0].imageID === 'string', 'no imageID');
  expect(pod.metadata.creationTimestamp instanceof Date, 'no time of creation');
  await core.readNamespacedPodLog(at);
});
await check('Pod: list of all namespaces', () => core.listPodForAllNamespaces());
await check('Pod: watch', () => firstOf('/api/v1/namespaces/default/pods'));
await check('Service: list', () => core.listServiceForAllNamespaces());
await check('Event of events.k8s.io: list of a server', async () => {
  const { items } = await events.listNamespacedEvent({ namespace: 'default' });
  expect(items.length > 0, 'no event');
});
await check('CustomResourceDefinition: list', async () => {
  const { items } = await definitions.listCustomResourceDefinition();
  expect(items.some((item) => item.metadata.name === 'mcpservers.orloj.dev'), 'not the one');
});
await check('CustomResourceDefinition: watch', () =>
  firstOf('/apis/apiextensions.k8s.io/v1/customresourcedefinitions'));
await check('SelfSubjectAccessReview: create', () =>
  config.makeApiClient(k8s.AuthorizationV1Api).createSelfSubjectAccessReview({
    body: { spec: { resourceAttributes: { verb: 'get', resource: 'tools' } } },
  }));
await check('SelfSubjectReview: create', () =>
  config.makeApiClient(k8s.AuthenticationV1Api).createSelfSubjectReview({ body: {} }));
await check('version', () => config.makeApiClient(k8s.VersionApi).getCode());
await check('groups', () => config.makeApiClient(k8s.ApisApi).getAPIVersions());
await check('resources of the core group', () => core.getAPIResources());

const specs = {
  mcpservers: ['McpServer', { transport: 'http', endpoint: 'http://127.0.0.1:9/mcp' }],
  tools: ['Tool', { type: 'mcp', mcp_server_ref: 'none', mcp_tool_name: 't' }],
  sandboxes: ['Sandbox', { image: 'none/none' }],
  secrets: ['Secret', { stringData: { a: '1' } }],
};
for (const [plural, [kind, spec]] of Object.entries(specs)) {
  const at = { group: 'orloj.dev', version: 'v1', namespace: NAMESPACE, plural };
  const body = { apiVersion: 'orloj.dev/v1', kind, metadata: metadata('c'), spec };
  await check(`${plural}: create`, () => custom.createNamespacedCustomObject({ ...at, body }));
  await check(`${plural}: patch`, () =>
    custom.patchNamespacedCustomObject(
      { ...at, name: 'c', body: { metadata: { labels: { a: 'b' } } } }, merge));
  await check(`${plural}: list`, async () => {
    const list = await custom.listNamespacedCustomObject({ ...at, labelSelector: 'a=b' });
    expect(list.items.length === 1, 'not one');
  });
  await check(`${plural}: watch`, () => firstOf(`/apis/orloj.dev/v1${inside}/${plural}`));
  await check(`${plural}: delete`, () => custom.deleteNamespacedCustomObject({ ...at, name: 'c' }));
  await check(`dynamic ${plural}: create, read, apply, list, delete`, async () => {
    const made = { ...body, metadata: metadata('d') };
    await objects.create(made);
    await objects.read(made);
    await objects.patch(
      made, undefined, undefined, 'dynamic', true, k8s.PatchStrategy.ServerSideApply);
    await objects.list('orloj.dev/v1', kind, NAMESPACE);
    await objects.delete(made);
  });
}
await check('Namespace: delete', () => core.deleteNamespace({ name: NAMESPACE }));
console.log(`${checks} checks, ${failed} failed`);
process.exit(failed ? 1 : 0);
