{{/*
Pod template of a component. Arguments: root, component, part (the component's values), image, and for the main container: args, env,
envFrom, volumes, annotations.
*/}}
{{- define "octavo.podTemplate" -}}
{{- $root := .root -}}
{{- $part := .part -}}
{{- $selector := include "octavo.selector" . | fromYaml -}}
{{- $ports := dict -}}
{{- range .env -}}
{{- $_ := set $ports .name .value -}}
{{- end -}}
metadata:
  labels:
    {{- merge (deepCopy $selector) $part.podLabels $root.Values.commonLabels | toYaml | nindent 4 }}
  {{- with merge (deepCopy .annotations) $part.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "octavo.serviceAccount" $root }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ int $part.terminationGracePeriodSeconds }}
  {{- with concat $root.Values.global.imagePullSecrets $root.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    {{- toYaml $root.Values.podSecurityContext | nindent 4 }}
  {{- range $key := list "priorityClassName" "runtimeClassName" "hostAliases" "dnsPolicy" "dnsConfig" "nodeSelector" "tolerations" "affinity" "initContainers" }}
  {{- with get $part $key }}
  {{ $key }}:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- end }}
  topologySpreadConstraints:
    {{- range default (list (dict "maxSkew" 1 "topologyKey" "kubernetes.io/hostname" "whenUnsatisfiable" "ScheduleAnyway")) $part.topologySpreadConstraints }}
    - {{ merge (deepCopy .) (dict "labelSelector" (dict "matchLabels" $selector)) | toYaml | nindent 6 | trim }}
    {{- end }}
  containers:
    - name: {{ .component }}
      image: {{ .image }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      {{- with .args }}
      args:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      env:
        {{- include "octavo.env" .env | trim | nindent 8 }}
      {{- with .envFrom }}
      envFrom:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      ports:
        - name: http
          containerPort: {{ int $ports.PORT }}
        # For metrics and operators. The Services for readers don't include this port.
        - name: internal
          containerPort: {{ int $ports.OCTAVO_INTERNAL_PORT }}
      startupProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 2
        failureThreshold: {{ max 1 (div (int $part.startupSeconds) 2) }}
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        {{- toYaml $part.readinessProbe | nindent 8 }}
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        {{- toYaml $part.livenessProbe | nindent 8 }}
      lifecycle:
        preStop:
          exec: { command: ["sleep", {{ int $part.preStopSeconds | quote }}] }
      resources:
        {{- toYaml $part.resources | nindent 8 }}
      securityContext:
        {{- toYaml $root.Values.containerSecurityContext | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
        {{- with $part.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    {{- with $part.extraContainers }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  volumes:
    {{- concat .volumes $part.extraVolumes | toYaml | nindent 4 }}
{{- end -}}

{{/*
The values of web or worker, with those of the platform: lists and maps are added, and single values are used where there is none.
Arguments: root, component.
*/}}
{{- define "octavo.platformPart" -}}
{{- $part := index .root.Values.platform .component | deepCopy -}}
{{- range $key, $shared := omit .root.Values.platform "web" "worker" -}}
{{- $own := get $part $key -}}
{{- if kindIs "slice" $shared -}}
{{- $_ := set $part $key (concat $shared (default list $own) | default list) -}}
{{- else if kindIs "map" $shared -}}
{{- $_ := set $part $key (merge (default dict $own) (deepCopy $shared)) -}}
{{- else if not $own -}}
{{- $_ := set $part $key $shared -}}
{{- end -}}
{{- end -}}
{{- toYaml $part -}}
{{- end -}}
