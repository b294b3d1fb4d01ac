#!/usr/bin/env bash
# One kubectl over every kind that is served: KUBECTL=... SERVER=... clients.sh
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work KUBECONFIG=/dev/null KUBECACHEDIR=$work/cache TERM=dumb
version=$("$KUBECTL" version --client -o json | sed -n 's/.*"gitVersion": "\(v[0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
namespace=clients-kubectl-$(tr -cd 0-9 <<<"$version")
checks=0
failed=0

k() { timeout 30 "$KUBECTL" --server "$SERVER" --namespace "$namespace" "$@"; }

# What the command prints, as text; a pattern of grep -E that has to be in it.
check() { # title, pattern, command...
  local title=$1 pattern=$2 output code
  shift 2
  checks=$((checks + 1))
  output=$("$@" 2>&1 </dev/null)
  code=$?
  if [ $code = 0 ] && grep -qE -- "$pattern" <<<"$output"; then
    echo "ok $version $title"
  else
    failed=$((failed + 1))
    echo "FAIL $version $title: exit $code, expected /$pattern/: $(head -c 400 <<<"$output" | tr '\n' ' ')"
  fi
}

check "Namespace: create" created k create namespace "$namespace"
cat > "$work/all.yaml" <<YAML
apiVersion: v1
kind: ConfigMap
metadata: {name: c}
data: {a: "1"}
---
apiVersion: v1
kind: Secret
metadata: {name: s}
stringData: {a: "1"}
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: l}
spec: {holderIdentity: me}
---
apiVersion: orloj.dev/v1
kind: McpServer
metadata: {name: m}
spec: {transport: http, endpoint: "http://127.0.0.1:9/mcp"}
---
apiVersion: orloj.dev/v1
kind: Tool
metadata: {name: t}
spec: {type: mcp, mcp_server_ref: none, mcp_tool_name: t}
---
apiVersion: orloj.dev/v1
kind: Sandbox
metadata: {name: b}
spec: {image: none/none}
YAML
names=(configmap/c secret/s lease/l mcpserver/m tool/t sandbox/b)
check "all: apply" "mcpserver.orloj.dev/m created" k apply -f "$work/all.yaml"
check "all: apply again" "tool.orloj.dev/t (unchanged|configured)" k apply -f "$work/all.yaml"
check "all: diff" "" k diff -f "$work/all.yaml"
check "all: server-side apply" "serverside-applied" \
  k apply --server-side --force-conflicts --field-manager two -f "$work/all.yaml"
check "api-resources" "mcpservers" k api-resources
check "api-versions" "orloj.dev/v1" k api-versions
check "version" "Server Version" k version
for name in "${names[@]}"; do
  check "$name: get" "NAME" k get "$name"
  check "$name: get -o yaml" "resourceVersion" k get "$name" -o yaml
  check "$name: label" "labeled" k label "$name" a=b
  check "$name: annotate" "annotate" k annotate "$name" a=b
  check "$name: patch" "patched" k patch "$name" --type merge -p '{"metadata":{"labels":{"c":"d"}}}'
  check "$name: list by label" "/" k get "${name%/*}" -l a=b -o name
  check "$name: watch" "ADDED" \
    k get "${name%/*}" --watch --output-watch-events --request-timeout 1s
  check "$name: describe" "Name:" k describe "$name"
  check "$name: explain" "KIND" k explain "${name%/*}"
done
check "Pod: get" "NAME" k --namespace default get pods
check "Pod: get -o wide" "NAME" k --namespace default get pods -o wide
pod=$(k --namespace default get pods -o name | head -n 1)
check "Pod: describe" "Name:" k --namespace default describe "$pod"
check "Pod: logs" "" k --namespace default logs "$pod"
check "Event: get" "REASON" k --namespace default get events
check "Event: events" "REASON" k --namespace default events
check "Event of events.k8s.io: get" "REASON" k --namespace default get events.events.k8s.io
check "CustomResourceDefinition: get" "mcpservers.orloj.dev" k get customresourcedefinitions
check "Call: get" "" k get calls
check "Call: get of all namespaces" "" k get calls --all-namespaces
check "Service: get" "" k get services
check "McpServer: scale" "scaled" k scale mcpserver m --replicas 0
check "auth can-i" "yes" k auth can-i get mcpservers
for name in "${names[@]}"; do
  check "$name: delete" "deleted" k delete "$name"
done
check "Namespace: delete" deleted k delete namespace "$namespace"
echo "$checks checks, $failed failed"
[ $failed = 0 ]
