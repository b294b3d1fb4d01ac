{{- define "orloj.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "orloj.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else if contains (include "orloj.name" .) .Release.Name }}
{{- .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "orloj.name" .) | trunc 40 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "orloj.headless" -}}
{{ include "orloj.fullname" . }}-pods
{{- end }}

{{- define "orloj.selector" -}}
app.kubernetes.io/name: {{ include "orloj.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "orloj.labels" -}}
{{ include "orloj.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "orloj.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{- define "orloj.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{ default (include "orloj.fullname" .) .Values.serviceAccount.name }}
{{- else -}}
{{ default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "orloj.podNamespace" -}}
{{ default .Release.Namespace .Values.pods.namespace }}
{{- end }}

{{- define "orloj.hasDatabase" -}}
{{- if or .Values.database.url (and .Values.database.existingSecret .Values.database.urlKey) }}true{{ end }}
{{- end }}

{{- define "orloj.tlsSecret" -}}
{{- if .Values.tls.certManager.enabled -}}
{{ include "orloj.fullname" . }}-tls
{{- else -}}
{{ .Values.tls.existingSecret }}
{{- end }}
{{- end }}

{{- define "orloj.url" -}}
{{- if .Values.externalUrl -}}
{{ .Values.externalUrl }}
{{- else -}}
https://{{ include "orloj.fullname" . }}.{{ .Release.Namespace }}.svc{{ if ne (int .Values.service.port) 443 }}:{{ .Values.service.port }}{{ end }}
{{- end }}
{{- end }}

{{/* Combinations that cannot work, each with its remedy. */}}
{{- define "orloj.validate" -}}
{{- $database := include "orloj.hasDatabase" . -}}
{{- if and .Values.database.existingSecret (not $database) }}
{{- fail "database.existingSecret has no URL: give database.url, or the key of the URL as database.urlKey" }}
{{- end }}
{{- if and $database (not .Values.encryptionKey.existingSecret) }}
{{- fail "a database of your own needs encryptionKey.existingSecret: a key on the volume of a Pod would be lost with the volume. Create it: kubectl create secret generic orloj-key --from-literal=secret.key=$(openssl rand -base64 32)" }}
{{- end }}
{{- if and (not $database) (not .Values.persistence.enabled) }}
{{- fail "persistence.enabled: false needs a database (database.url): the embedded PostgreSQL is on the volume" }}
{{- end }}
{{- if gt (int .Values.replicaCount) 1 }}
{{- if not $database }}
{{- fail (printf "replicaCount: %d needs a database that all Pods share (database.url); the embedded PostgreSQL is that of one Pod" (int .Values.replicaCount)) }}
{{- end }}
{{- if not (include "orloj.tlsSecret" .) }}
{{- fail (printf "replicaCount: %d needs one certificate for all Pods: tls.existingSecret or tls.certManager.enabled. By itself, each Pod has an authority of its own" (int .Values.replicaCount)) }}
{{- end }}
{{- if not .Values.admin.existingSecret }}
{{- fail (printf "replicaCount: %d needs one token of the administrator for all Pods: kubectl create secret generic orloj-admin --from-literal=token=$(openssl rand -hex 32), then admin.existingSecret=orloj-admin" (int .Values.replicaCount)) }}
{{- end }}
{{- end }}
{{- if and .Values.tls.existingSecret .Values.tls.certManager.enabled }}
{{- fail "tls.existingSecret and tls.certManager.enabled are two certificates: give one" }}
{{- end }}
{{- if and .Values.tls.certManager.enabled (not .Values.tls.certManager.issuerRef.name) }}
{{- fail "tls.certManager.enabled needs the name of an issuer: tls.certManager.issuerRef.name" }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.externalUrl) }}
{{- fail "ingress.enabled needs externalUrl, such as https://orloj.example.com: orlojd names it to clients of MCP" }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) }}
{{- fail "ingress.enabled needs ingress.host" }}
{{- end }}
{{- if and .Values.tlsRoute.enabled (not .Values.tlsRoute.parentRefs) }}
{{- fail "tlsRoute.enabled needs a Gateway: tlsRoute.parentRefs" }}
{{- end }}
{{- if and .Values.clientCA.existingSecret .Values.clientCA.existingConfigMap }}
{{- fail "clientCA.existingSecret and clientCA.existingConfigMap are two sources: give one" }}
{{- end }}
{{- if and .Values.metrics.serviceMonitor.enabled (not .Values.metrics.serviceMonitor.tokenSecret) }}
{{- fail "metrics.serviceMonitor.enabled needs metrics.serviceMonitor.tokenSecret: /metrics asks for a token with the role system:monitoring" }}
{{- end }}
{{- end }}
