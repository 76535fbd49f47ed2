{{- define "octavo.name" -}}
{{- $name := ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (contains .Chart.Name .Release.Name) -}}
{{- $name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{/* The arguments are an image's values, and the tag to use if there is none. */}}
{{- define "octavo.image" -}}
{{- if .image.digest -}}
{{- printf "%s@%s" .image.repository .image.digest -}}
{{- else -}}
{{- printf "%s:%s" .image.repository (default .tag .image.tag) -}}
{{- end -}}
{{- end -}}

{{- define "octavo.serviceAccount" -}}
{{- default (include "octavo.name" .) .Values.serviceAccount.name -}}
{{- end -}}

{{/* Labels for all objects. Selectors use `octavo.selector` instead, which also contains the component. */}}
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

{{/* Spreads the pods of a component across nodes. The argument is the component's selector. */}}
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

{{/* Environment variables for the features that aren't null. */}}
{{- define "octavo.features" -}}
{{- range $name, $value := .Values.features -}}
{{- if not (kindIs "invalid" $value) }}
- name: OCTAVO_{{ upper $name }}
  value: {{ $value | toString | quote }}
{{- end -}}
{{- end -}}
{{- end -}}
