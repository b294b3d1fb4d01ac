#!/usr/bin/env bash
# The kustomizations of examples/, with the kustomize that is a part of kubectl.
#   KUBECTL=kubectl SERVER=http://127.0.0.1:8080 kustomize.sh
set -u
examples=$(cd "$(dirname "$0")/../../../../../examples/kustomize" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work KUBECONFIG=/dev/null KUBECACHEDIR=$work/cache TERM=dumb
checks=0
failed=0

report() { # title, 0 if it holds, what was seen
  checks=$((checks + 1))
  if [ "$2" = 0 ]; then
    echo "ok $1"
  else
    failed=$((failed + 1))
    echo "FAIL $1: $(head -c 400 <<<"$3" | tr '\n' ' ')"
  fi
}

for folder in base production; do
  built=$("$KUBECTL" kustomize "$examples/$folder" 2>"$work/err")
  report "$folder is built" $? "$(cat "$work/err")"
  for generated in tracker-token tracker-keys tracker-settings; do
    name=$(sed -n "s/^  name: \(\(prod-\)\{0,1\}$generated-[a-z0-9]\{10\}\)\$/\1/p" <<<"$built")
    [ -n "$name" ]
    report "$folder: $generated has a hash" $? "$built"
    # Once as its name, and once where the server names it, with a key or without.
    [ "$(grep -cE ": $name(/signing-key)?\$" <<<"$built")" = 2 ]
    report "$folder: the server names $generated with its hash" $? "$built"
  done
  ! grep -q '\$(' <<<"$built"
  report "$folder: no variable is left" $? "$built"
done

k() { timeout 60 "$KUBECTL" --server "$SERVER" "$@" 2>&1 </dev/null; }
output=$(k apply -k "$examples/base" --dry-run=server)
report "the base is accepted" $? "$output"
k create namespace production >/dev/null
output=$(k apply -k "$examples/production" --dry-run=server)
report "the overlay is accepted" $? "$output"
k delete namespace production >/dev/null
echo "$checks checks, $failed failed"
[ $failed = 0 ]
