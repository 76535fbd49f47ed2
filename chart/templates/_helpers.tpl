{{- define "octavo.name" -}}
{{- $name := ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (contains .Chart.Name .Release.Name) -}}
{{- $name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "octavo.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{- define "octavo.serviceAccount" -}}
{{- default (include "octavo.name" .) .Values.serviceAccount.name -}}
{{- end -}}

{{/* Labels of everything; `octavo.selector` of one part. */}}
{{- define "octavo.labels" -}}
app.kubernetes.io/name: octavo
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "octavo.selector" -}}
app.kubernetes.io/name: octavo
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "octavo.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: ["ALL"]
{{- end -}}

{{/* Pods of a part, by its selector: on nodes of their own where there are enough. */}}
{{- define "octavo.spread" -}}
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- . | nindent 6 }}
{{- end -}}

{{- define "octavo.bundleSecret" -}}
{{- default (printf "%s-bundle" (include "octavo.name" .)) .Values.staticExport.existingSecret -}}
{{- end -}}

{{/* The switches that were set, as the server reads them. */}}
{{- define "octavo.features" -}}
{{- range $name, $value := .Values.features -}}
{{- if not (kindIs "invalid" $value) }}
- name: OCTAVO_{{ upper $name }}
  value: {{ $value | toString | quote }}
{{- end -}}
{{- end -}}
{{- end -}}
