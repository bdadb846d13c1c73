{{- /* An image by its digest: dict "image" (repository, digest) "name" (for the error). */ -}}
{{- define "kobo.image" -}}
{{- $digest := required (printf "%s.digest is required: the image's sha256:…" .name) .image.digest -}}
{{- if not (regexMatch "^sha256:[0-9a-f]{64}$" $digest) }}{{ fail (printf "%s.digest must be sha256: and 64 hexadecimal digits" .name) }}{{ end -}}
{{ required (printf "%s.repository is required" .name) .image.repository }}@{{ $digest }}
{{- end -}}

{{- /* Labels of a resource: dict "root" $ "part" (gateway, connectors, migrate …). */ -}}
{{- define "kobo.labels" -}}
{{ include "kobo.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "kobo.selector" -}}
app.kubernetes.io/name: kobo
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}

{{- /* What every pod has, for the restricted Pod Security Standard. */ -}}
{{- define "kobo.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext: { runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000, seccompProfile: { type: RuntimeDefault } }
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "kobo.container" -}}
securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }
{{- end -}}

{{- /* Settings that are not secret, as environment variables: the migration runs before the chart's other resources exist. */ -}}
{{- define "kobo.settings" -}}
- { name: KOBO_ENVIRONMENT, value: live }
- { name: KOBO_PUBLIC_URL, value: {{ printf "https://%s" (required "host is required" .Values.host) | quote }} }
{{- with .Values.authority.secret }}
- { name: NODE_EXTRA_CA_CERTS, value: /ca/ca.crt }
{{- end }}
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- end -}}

{{- /* One setting from the secret: dict "root" $ "key" NAME. */ -}}
{{- define "kobo.secretSetting" -}}
- { name: {{ .key }}, valueFrom: { secretKeyRef: { name: {{ .root.Values.secret.name }}, key: {{ .key }} } } }
{{- end -}}

{{- define "kobo.masterKeySetting" -}}
- { name: KOBO_MASTER_KEY_FILE, value: /keys/master.key }
{{- end -}}

{{- define "kobo.masterKeyVolume" -}}
- { name: keys, secret: { secretName: {{ .Values.secret.name }}, items: [{ key: KOBO_MASTER_KEY, path: master.key }], defaultMode: 0440 } }
{{- end -}}

{{- define "kobo.commonVolumes" -}}
- { name: tmp, emptyDir: {} }
{{- with .Values.authority.secret }}
- { name: ca, secret: { secretName: {{ . }}, items: [{ key: ca.crt, path: ca.crt }] } }
{{- end }}
{{- end -}}

{{- define "kobo.commonMounts" -}}
- { name: tmp, mountPath: /tmp }
{{- with .Values.authority.secret }}
- { name: ca, mountPath: /ca, readOnly: true }
{{- end }}
{{- end -}}

{{- /* Spread over machines and zones: dict "root" $ "part". */ -}}
{{- define "kobo.spread" -}}
topologySpreadConstraints:
  {{- $selector := include "kobo.selector" . }}
  {{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- $selector | nindent 8 }}
  {{- end }}
{{- end -}}

{{- /*
The pod of a job: dict "root" $ "part" "image" "command" (list) "secrets" (names) "key" (true: with the master key) "claim" (mounted
at "path").
*/ -}}
{{- define "kobo.jobPod" -}}
metadata:
  labels:
    {{- include "kobo.labels" . | nindent 4 }}
spec:
  restartPolicy: Never
  {{- include "kobo.pod" .root | nindent 2 }}
  containers:
    - name: {{ .part }}
      image: {{ .image }}
      command: {{ toJson .command }}
      env:
        {{- include "kobo.settings" .root | nindent 8 }}
        {{- range .secrets }}
        {{- include "kobo.secretSetting" (dict "root" $.root "key" .) | nindent 8 }}
        {{- end }}
        {{- if .key }}
        {{- include "kobo.masterKeySetting" .root | nindent 8 }}
        {{- end }}
      resources:
        requests: { cpu: 100m, memory: 256Mi }
        limits: { memory: 2Gi }
      {{- include "kobo.container" .root | nindent 6 }}
      volumeMounts:
        {{- include "kobo.commonMounts" .root | nindent 8 }}
        {{- if .key }}
        - { name: keys, mountPath: /keys, readOnly: true }
        {{- end }}
        {{- if .claim }}
        - { name: files, mountPath: {{ .path }} }
        {{- end }}
  volumes:
    {{- include "kobo.commonVolumes" .root | nindent 4 }}
    {{- if .key }}
    {{- include "kobo.masterKeyVolume" .root | nindent 4 }}
    {{- end }}
    {{- if .claim }}
    - { name: files, persistentVolumeClaim: { claimName: {{ .claim }} } }
    {{- end }}
{{- end -}}
