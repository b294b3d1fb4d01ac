#!/usr/bin/env bash
# A session of an unmodified kubectl: what people do in a day, and what goes wrong for them.
#   KUBECTL=kubectl SERVER=http://127.0.0.1:8080 session.sh
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work KUBECONFIG=/dev/null KUBECACHEDIR=$work/cache TERM=dumb
checks=0
failed=0

k() { timeout 60 "$KUBECTL" --server "$SERVER" --namespace session "$@"; }

# The exit code and a pattern of grep -E are expected of a command; "!" before the pattern: it must not be there.
check() { # title, code, pattern, command...
  local title=$1 expected=$2 pattern=$3 output code found=0
  shift 3
  checks=$((checks + 1))
  output=$("$@" 2>&1 </dev/null)
  code=$?
  grep -qE -- "${pattern#!}" <<<"$output" || found=1
  case $pattern in !*) found=$((1 - found)) ;; esac
  if [ $code = "$expected" ] && [ $found = 0 ]; then
    echo "ok $title"
  else
    failed=$((failed + 1))
    echo "FAIL $title: exit $code of $expected, pattern /$pattern/: $(head -c 400 <<<"$output" | tr '\n' ' ')"
  fi
}

# A server that answers in the shell: it has one tool, "hello".
cat > "$work/server.sh" <<'SHELL'
while read -r line; do
  id=$(sed -n 's/.*"id" *: *\([0-9][0-9]*\|"[^"]*"\).*/\1/p' <<<"$line")
  case $line in
    *'"initialize"'*) r='{"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}' ;;
    *'"tools/list"'*) r='{"tools": [{"name": "hello", "inputSchema": {"type": "object"}}]}' ;;
    *'"ping"'*) r='{}' ;;
    *'"notifications/'*) continue ;;
    *) echo "{\"jsonrpc\": \"2.0\", \"id\": $id, \"error\": {\"code\": -32601, \"message\": \"none\"}}"; continue ;;
  esac
  echo "{\"jsonrpc\": \"2.0\", \"id\": $id, \"result\": $r}"
done
SHELL
manifest() { # name, value of a variable
  cat <<YAML
apiVersion: orloj.dev/v1
kind: McpServer
metadata: {name: $1, labels: {day: one}}
spec: {transport: stdio, command: bash, args: ["$work/server.sh"], env: [{name: DAY, value: "$2"}]}
YAML
}
manifest clock monday > "$work/monday.yaml"
manifest clock tuesday > "$work/tuesday.yaml"
sed 's/command: bash/comand: bash/' "$work/monday.yaml" > "$work/misspelt.yaml"
sed 's/transport: stdio/transport: pigeon/' "$work/monday.yaml" > "$work/pigeon.yaml"
sed 's/name: clock/name: Clock_1/' "$work/monday.yaml" > "$work/badname.yaml"
sed 's/kind: McpServer/kind: Gadget/' "$work/monday.yaml" > "$work/gadget.yaml"
sed 's/name: clock/generateName: clock-/' "$work/monday.yaml" > "$work/generated.yaml"
sed -e 's/name: clock,/name: other,/' -e 's/value: "monday"/value: "sunday"/' "$work/monday.yaml" > "$work/other.yaml"
mkdir "$work/kustomize"
cp "$work/monday.yaml" "$work/kustomize/clock.yaml"
printf 'resources: [clock.yaml]\nnamePrefix: k-\n' > "$work/kustomize/kustomization.yaml"

check "apply without the namespace" 1 'namespaces "session" not found' k apply -f "$work/monday.yaml"
check "create namespace" 0 'namespace/session created' k create namespace session
check "create namespace again" 1 'AlreadyExists' k create namespace session
check "cluster-info" 0 'is running at' k cluster-info
check "explain a field" 0 'FIELD: transport' k explain mcpserver.spec.transport
check "explain what is not there" 1 'field "none" does not exist' k explain mcpserver.spec.none
check "get of an unknown kind" 1 "doesn't have a resource type" k get gadgets

check "apply" 0 'clock created' k apply -f "$work/monday.yaml"
check "apply again" 0 'clock unchanged' k apply -f "$work/monday.yaml"
check "wait for Ready" 0 'condition met' k wait --for condition=Ready mcpserver/clock --timeout 40s
check "wait for what never comes" 1 'timed out' k wait --for condition=Never mcpserver/clock --timeout 1s
check "its tool is there" 0 'clock--hello' k get tools -l orloj.dev/mcp-server=clock
check "observed generation" 0 '^1 1$' \
  k get mcpserver clock -o 'jsonpath={.metadata.generation} {.status.observedGeneration}{"\n"}'
check "diff of a change" 1 'tuesday' k diff -f "$work/tuesday.yaml"
check "diff of none" 0 '!monday' k diff -f "$work/monday.yaml"
check "dry run" 0 'server dry run' k apply --dry-run=server -f "$work/tuesday.yaml"
check "dry run wrote nothing" 0 '^monday$' k get mcpserver clock -o 'jsonpath={.spec.env[0].value}{"\n"}'
check "apply a change" 0 'clock configured' k apply -f "$work/tuesday.yaml"
check "generation counts" 0 '^2$' k get mcpserver clock -o 'jsonpath={.metadata.generation}{"\n"}'
check "create what exists" 1 'AlreadyExists' k create -f "$work/monday.yaml"
check "create with a generated name" 0 'clock-[a-z0-9]{5} created' k create -f "$work/generated.yaml"

check "misspelt field" 1 'unknown field.*comand' k apply -f "$work/misspelt.yaml"
check "unknown transport" 1 'spec.transport' k apply -f "$work/pigeon.yaml"
check "bad name" 1 'metadata.name' k apply -f "$work/badname.yaml"
check "unknown kind" 1 'no matches for kind "Gadget"' k apply -f "$work/gadget.yaml"
check "get of what is not there" 1 'NotFound' k get mcpserver none

check "table" 0 'NAME +TRANSPORT +READY' k get mcpservers
check "wide table" 0 'COMMAND' k get mcpservers -o wide
check "names" 0 '^mcpserver.orloj.dev/clock$' k get mcpservers -o name
check "columns of one's own" 0 '^clock +stdio$' \
  k get mcpserver clock -o custom-columns=N:.metadata.name,T:.spec.transport
check "sorted" 0 'clock' k get mcpservers --sort-by .metadata.creationTimestamp
check "all namespaces" 0 'session +clock' k get mcpservers --all-namespaces
check "label selector" 0 'clock' k get mcpservers -l 'day in (one,two)' -o name
check "label selector of none" 0 'No resources found' k get mcpservers -l 'day notin (one)'
check "field selector" 0 '^mcpserver.orloj.dev/clock$' k get mcpservers --field-selector metadata.name=clock -o name
check "describe" 0 'Events:' k describe mcpserver clock
check "label" 0 'labeled' k label mcpserver clock week=first
check "label without overwrite" 1 'overwrite' k label mcpserver clock week=second
check "JSON patch" 0 'patched' k patch mcpserver clock --type json -p '[{"op":"remove","path":"/metadata/labels/week"}]'
check "JSON patch that tests" 1 'rejected' \
  k patch mcpserver clock --type json -p '[{"op":"test","path":"/spec/transport","value":"http"}]'
check "merge patch" 0 'patched' k patch mcpserver clock --type merge -p '{"metadata":{"annotations":{"a":"b"}}}'
check "strategic patch" 1 'UnsupportedMediaType|not supported' k patch mcpserver clock -p '{"spec":{}}'

check "server-side apply" 0 'serverside-applied' k apply --server-side --field-manager one -f "$work/other.yaml"
sed -i 's/sunday/saturday/' "$work/other.yaml"
check "conflict of managers" 1 'conflict.*"one"' k apply --server-side --field-manager two -f "$work/other.yaml"
check "conflict forced" 0 'serverside-applied' \
  k apply --server-side --field-manager two --force-conflicts -f "$work/other.yaml"
check "managed fields" 0 'manager: two' k get mcpserver other -o yaml --show-managed-fields

check "create secret" 0 'secret/token created' k create secret generic token --from-literal key=value
check "secret in base64" 0 '^dmFsdWU=$' k get secret token -o 'jsonpath={.data.key}{"\n"}'
check "secret is not described" 0 '!dmFsdWU=' k describe secret token
check "kustomize" 0 'k-clock created' k apply -k "$work/kustomize"
check "may I" 0 'yes' k auth can-i create mcpservers

check "delete" 0 'deleted' k delete -f "$work/monday.yaml" --timeout 40s
check "delete again" 1 'NotFound' k delete -f "$work/monday.yaml"
check "delete, if it is there" 0 '!NotFound' k delete -f "$work/monday.yaml" --ignore-not-found
check "its tool is gone" 0 'No resources found' k get tools -l orloj.dev/mcp-server=clock
check "delete namespace with all in it" 0 'deleted' k delete namespace session --timeout 40s
check "nothing is left" 0 'No resources found' k get mcpservers,tools
echo "$checks checks, $failed failed"
[ $failed = 0 ]
