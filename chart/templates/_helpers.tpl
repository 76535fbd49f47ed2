{{- define "octavo.chart" -}}
{{- default .Chart.Name .Values.nameOverride -}}
{{- end -}}

{{- define "octavo.fullname" -}}
{{- $chart := include "octavo.chart" . -}}
{{- $name := ternary .Release.Name (printf "%s-%s" .Release.Name $chart) (contains $chart .Release.Name) -}}
{{- default $name .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "octavo.selector" -}}
app.kubernetes.io/name: {{ include "octavo.chart" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{/* Metadata of an object. Arguments: root, name, and optionally component, labels and annotations. */}}
{{- define "octavo.metadata" -}}
{{- $labels := include "octavo.selector" . | fromYaml -}}
{{- $_ := set $labels "app.kubernetes.io/version" .root.Chart.AppVersion -}}
{{- $_ := set $labels "app.kubernetes.io/managed-by" .root.Release.Service -}}
{{- $_ := set $labels "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version) -}}
name: {{ .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- merge $labels (default dict .labels | deepCopy) .root.Values.commonLabels | toYaml | nindent 2 }}
{{- with merge (default dict .annotations | deepCopy) .root.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Image of a container. Arguments: root, and the image's values. */}}
{{- define "octavo.image" -}}
{{- $registry := coalesce .root.Values.global.imageRegistry .image.registry .root.Values.image.registry -}}
{{- with $registry }}{{ trimSuffix "/" . }}/{{ end -}}
{{- .image.repository -}}
{{- if .image.digest }}@{{ .image.digest }}{{ else }}:{{ default .root.Chart.AppVersion .image.tag }}{{ end -}}
{{- end -}}

{{- define "octavo.siteImage" -}}
{{- include "octavo.image" (dict "root" . "image" (ternary .Values.staticExport.image .Values.image (ne .Values.staticExport.image.repository ""))) -}}
{{- end -}}

{{- define "octavo.serviceAccount" -}}
{{- default (ternary (include "octavo.fullname" .) "default" .Values.serviceAccount.create) .Values.serviceAccount.name -}}
{{- end -}}

{{- define "octavo.bundleSecret" -}}
{{- default (printf "%s-bundle" (include "octavo.fullname" .)) .Values.staticExport.existingSecret -}}
{{- end -}}

{{/* Hash of an existing Secret, so that the next upgrade restarts the pods if its content has changed. Empty without a cluster. */}}
{{- define "octavo.secretChecksum" -}}
{{- with .name -}}
{{- with lookup "v1" "Secret" $.root.Release.Namespace . -}}
{{- toJson .data | sha256sum -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The text of a scalar. Values of JSON are floating-point numbers, which would otherwise be written as 1e+06. */}}
{{- define "octavo.text" -}}
{{- if kindIs "string" . }}{{ . }}{{ else }}{{ toJson . }}{{ end -}}
{{- end -}}

{{/* Environment variables. A variable replaces an earlier one with the same name, because Kubernetes rejects duplicates. */}}
{{- define "octavo.env" -}}
{{- $names := list -}}
{{- $variables := dict -}}
{{- range . -}}
{{- $names = append (without $names .name) .name -}}
{{- $_ := set $variables .name . -}}
{{- end -}}
{{- range $names }}
- {{ get $variables . | toYaml | nindent 2 | trim }}
{{- end -}}
{{- end -}}

{{/* Environment variables of each container of the chart, as a list. */}}
{{- define "octavo.baseEnv" -}}
- { name: HOST, value: 0.0.0.0 }
- { name: PORT, value: "4000" }
- { name: OCTAVO_DATA, value: /data }
- { name: OCTAVO_INTERNAL_PORT, value: "4001" }
- { name: OCTAVO_KIND, value: {{ .Values.kind }} }
{{- range $name, $value := .Values.features }}
{{- if not (kindIs "invalid" $value) }}
- { name: OCTAVO_{{ upper $name }}, value: {{ include "octavo.text" $value | quote }} }
{{- end }}
{{- end }}
{{- end -}}

{{/* Path that the Ingress or the HTTPRoute routes to the site. Empty for the root. */}}
{{- define "octavo.basePath" -}}
{{- $ingress := ternary .Values.ingress.path "" .Values.ingress.enabled -}}
{{- $route := ternary .Values.httpRoute.path "" .Values.httpRoute.enabled -}}
{{- or (trimSuffix "/" $ingress) (trimSuffix "/" $route) -}}
{{- end -}}

{{/* A quantity as a number. */}}
{{- define "octavo.quantity" -}}
{{- $units := dict "" 1 "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "E" 1e18 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 "Pi" 1125899906842624 "Ei" 1152921504606846976 -}}
{{- $text := include "octavo.text" . -}}
{{- mulf (regexFind "^[0-9.]+" $text | float64) (get $units (regexFind "[A-Za-z]*$" $text) | float64) -}}
{{- end -}}

{{/*
Number of pods. With autoscaling, an existing object keeps its number, because without this field, Kubernetes would reset it to 1.
Arguments: root, kind, name, part.
*/}}
{{- define "octavo.replicas" -}}
{{- $scaling := .part.autoscaling -}}
{{- if or $scaling.enabled (kindIs "invalid" .part.replicas) -}}
{{- $minimum := ternary (int $scaling.minReplicas) 1 $scaling.enabled -}}
{{- $live := lookup "apps/v1" .kind .root.Release.Namespace .name -}}
replicas: {{ max $minimum (dig "spec" "replicas" 0 $live | int) }}
{{- else -}}
replicas: {{ int .part.replicas }}
{{- end -}}
{{- end -}}
