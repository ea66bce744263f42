{{/* Names: everything is called <release>-<component>. */}}
{{- define "atrium.name" -}}
{{ printf "%s-%s" (.root.Release.Name | trunc 50 | trimSuffix "-") .component }}
{{- end -}}

{{- define "atrium.selector" -}}
app.kubernetes.io/name: atrium
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "atrium.labels" -}}
{{ include "atrium.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "atrium.image" -}}
{{- $tag := .Values.image.tag | default .Chart.AppVersion -}}
{{ .Values.image.repository }}:{{ $tag }}{{ with .Values.image.digest }}@{{ . }}{{ end }}
{{- end -}}

{{/* What a pod needs from the moment it is told to stop until it is killed. */}}
{{- define "atrium.gracePeriod" -}}
{{ add (int .Values.stop.preStopSeconds) (int .Values.stop.drainSeconds) (int .Values.stop.spareSeconds) }}
{{- end -}}

{{/*
Environment of a program: the names in `config` with their values, those in `secrets` by reference. JSON and YAML have only
one kind of number, which Go would print as 1.073741824e+10.
*/}}
{{- define "atrium.env" -}}
{{- $values := .root.Values -}}
{{- range .config }}
{{- $value := index $values.config . }}
{{- if kindIs "float64" $value }}{{ $value = int64 $value }}{{ end }}
{{- if ne (toString $value) "" }}
- name: {{ . }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
{{- $known := concat $values.secret.keys $values.secret.optionalKeys }}
{{- if $values.config.S3_ENDPOINT }}{{ $known = concat $known $values.secret.videoKeys }}{{ end }}
{{- range .secrets }}
{{- if has . $known }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ $values.secret.existingSecret }}
      key: {{ . }}
      {{- if has . $values.secret.optionalKeys }}
      optional: true
      {{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The same for every pod: no root, no privileges, nothing of the cluster's API. */}}
{{- define "atrium.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
serviceAccountName: {{ include "atrium.name" (dict "root" .root "component" "programs") }}
terminationGracePeriodSeconds: {{ include "atrium.gracePeriod" .root }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "atrium.selector" . | nindent 8 }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The same for every container. `probes` are the paths of its health. */}}
{{- define "atrium.container" -}}
image: {{ include "atrium.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args: [{{ .program | quote }}]
ports:
  - { name: http, containerPort: {{ .port }} }
  - { name: metrics, containerPort: 9464 }
startupProbe:
  httpGet: { path: {{ .live }}, port: http }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: {{ .live }}, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: {{ .ready }}, port: http }
  periodSeconds: 3
  timeoutSeconds: 3
  failureThreshold: 2
lifecycle:
  preStop:
    exec: { command: [sleep, {{ .root.Values.stop.preStopSeconds | toString | quote }}] }
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  capabilities: { drop: [ALL] }
{{- end -}}
