#!/usr/bin/env bash
# Runs orlojctl check over a folder of manifests: the step of action.yml, which passes its inputs in CHECK_* variables.
# The findings are printed, and written as SARIF; the exit code is that of orlojctl check.
set -euo pipefail

folder=$(mktemp -d "${RUNNER_TEMP:-/tmp}/orloj-check.XXXXXX")
sarif=$folder/orloj-check.sarif
options=(--namespace "${CHECK_NAMESPACE:-default}" --fail-on "${CHECK_FAIL_ON:-error}")
case ${CHECK_START:-true} in
    true) options+=(--timeout "${CHECK_TIMEOUT:-60s}") ;;
    false) options+=(--no-start) ;;
    *)
        echo "::error::The input start is \"$CHECK_START\", and must be true or false"
        exit 2
        ;;
esac
if [ -z "${ORLOJCTL_API_TOKEN:-}" ]; then
    unset ORLOJCTL_API_TOKEN
fi

code=0
"${CHECK_ORLOJCTL:-orlojctl}" check -f "$CHECK_PATH" "${options[@]}" --also "sarif=$sarif" || code=$?
if [ "$code" -ne 0 ] && [ "$code" -ne 5 ]; then
    echo "::error::The servers in $CHECK_PATH were not all checked: orlojctl check ended with code $code"
fi
{
    if [ -s "$sarif" ]; then
        echo "sarif=$sarif"
    fi
    echo "exit-code=$code"
} >> "${GITHUB_OUTPUT:-/dev/null}"
exit "$code"
