import { readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import { exampleNames, renderedPath } from '../render/chart.ts'

/** What the tests read of Kubernetes' objects; kubernetes-models checks the rest. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; labels: Record<string, string> }
  /** Only a ServiceAccount has none, and no test looks into one. */
  spec: {
    selector?: Record<string, unknown>
    podSelector?: { matchLabels: Record<string, string> }
    policyTypes?: string[]
    template?: { metadata: { labels: Record<string, string> }; spec: PodSpec }
    serviceName?: string
    replicas?: number
    clusterIP?: string
    ports?: Array<{ name: string; port: number; targetPort: string }>
    ingress?: PolicyRule[]
    egress?: PolicyRule[]
    rules?: Array<{ http: { paths: IngressPath[] } }>
    [field: string]: unknown
  }
}

export interface PolicyRule {
  from?: Peer[]
  to?: Peer[]
  ports?: Array<{ port: number; endPort?: number }>
}

interface Peer {
  podSelector?: { matchLabels: Record<string, string> }
  ipBlock?: { cidr: string; except?: string[] }
}

export interface IngressPath {
  path: string
  pathType: 'Exact' | 'Prefix'
  backend: { service: { name: string; port: { name: string } } }
}

interface PodSpec {
  automountServiceAccountToken: boolean
  terminationGracePeriodSeconds: number
  securityContext: Record<string, unknown>
  containers: Container[]
  volumes?: Array<{ name: string; emptyDir?: object; persistentVolumeClaim?: { claimName: string } }>
}

export interface Container {
  name: string
  image: string
  args: string[]
  env: EnvironmentEntry[]
  envFrom?: Array<{ secretRef: { name: string } }>
  ports: Array<{ name: string; containerPort: number }>
  securityContext: Record<string, unknown>
  lifecycle: { preStop: { exec: { command: string[] } } }
  volumeMounts?: Array<{ name: string; mountPath: string }>
  resources: { requests: Record<string, string>; limits: Record<string, string> }
  startupProbe: Probe
  livenessProbe: Probe
  readinessProbe: Probe
}

interface Probe {
  httpGet: { path: string; port: string }
}

interface EnvironmentEntry {
  name: string
  value?: string
  valueFrom?: {
    secretKeyRef?: { name: string; key: string; optional?: boolean }
    fieldRef?: { fieldPath: string }
  }
}

export interface Workload {
  name: string
  labels: Record<string, string>
  pod: PodSpec
  container: Container
}

export const manifestsIn = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw document.errors[0]
    return document.toJS() as Manifest
  })

/** The committed manifests of every example. */
export const examples = exampleNames().map((name) => {
  const text = readFileSync(renderedPath(name), 'utf8')
  return { name, text, manifests: manifestsIn(text) }
})

export const ofKind = (manifests: Manifest[], kind: string): Manifest[] =>
  manifests.filter((manifest) => manifest.kind === kind)

export const workloadsOf = (manifests: Manifest[]): Workload[] =>
  manifests.flatMap(({ metadata, spec }) => {
    const template = (spec as Manifest['spec'] | undefined)?.template
    const container = template?.spec.containers[0]
    if (template === undefined || container === undefined) return []
    return [{ name: metadata.name, labels: template.metadata.labels, pod: template.spec, container }]
  })

export const isSelectedBy = (
  wanted: Record<string, string> | undefined,
  labels: Record<string, string>,
): boolean => wanted !== undefined && Object.entries(wanted).every(([key, value]) => labels[key] === value)
