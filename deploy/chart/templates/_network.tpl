{{- define "atrium.dns" -}}
- to:
    {{- toYaml .Values.networkPolicy.dns | nindent 4 }}
  ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
{{- end -}}

{{- define "atrium.scrapes" -}}
- from:
    {{- toYaml .Values.networkPolicy.monitoring | nindent 4 }}
  ports: [{ protocol: TCP, port: 9464 }]
{{- end -}}

{{/* A service outside the chart: without peers, any address at its port. */}}
{{- define "atrium.to" -}}
- ports: [{ protocol: TCP, port: {{ .port }} }]
  {{- with .peers }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
