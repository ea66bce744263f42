import type { MetricUnit } from './metrics.ts'

/** Metrics that others expose and that alerts or dashboards rely on. */
export interface ForeignMetric {
  name: string
  kind: 'counter' | 'gauge'
  help: string
  unit: MetricUnit
  /** Who exposes it. */
  from: string
  /** The labels we use; it has others. */
  labels: readonly string[]
}

const kubelet = 'cAdvisor, in the kubelet of each node'
const ofContainer = ['namespace', 'pod', 'container'] as const
const node = 'prom-client, in each program of Atrium'

export const foreignMetrics = {
  containerCpu: {
    name: 'container_cpu_usage_seconds_total',
    kind: 'counter',
    help: 'CPU time that a container has used, in seconds',
    unit: 's',
    from: kubelet,
    labels: ofContainer,
  },
  containerCpuQuota: {
    name: 'container_spec_cpu_quota',
    kind: 'gauge',
    help: 'CPU time that a container may use in each period, in microseconds; absent without a limit',
    unit: 'short',
    from: kubelet,
    labels: ofContainer,
  },
  containerCpuPeriod: {
    name: 'container_spec_cpu_period',
    kind: 'gauge',
    help: 'Length of such a period, in microseconds',
    unit: 'short',
    from: kubelet,
    labels: ofContainer,
  },
  containerMemory: {
    name: 'container_memory_working_set_bytes',
    kind: 'gauge',
    help: 'Memory that counts against the limit of a container',
    unit: 'bytes',
    from: kubelet,
    labels: ofContainer,
  },
  containerMemoryLimit: {
    name: 'container_spec_memory_limit_bytes',
    kind: 'gauge',
    help: 'Memory limit of a container; 0 without a limit',
    unit: 'bytes',
    from: kubelet,
    labels: ofContainer,
  },
  podRestarts: {
    name: 'kube_pod_container_status_restarts_total',
    kind: 'counter',
    help: 'Restarts of a container of a pod',
    unit: 'short',
    from: 'kube-state-metrics',
    labels: ofContainer,
  },
  up: {
    name: 'up',
    kind: 'gauge',
    help: 'Whether the last scrape of a program succeeded',
    unit: 'short',
    from: 'Prometheus, for everything it scrapes',
    labels: [],
  },
  processCpu: {
    name: 'process_cpu_seconds_total',
    kind: 'counter',
    help: 'CPU time that a program has used, in seconds',
    unit: 's',
    from: node,
    labels: [],
  },
  processMemory: {
    name: 'process_resident_memory_bytes',
    kind: 'gauge',
    help: 'Resident memory of a program',
    unit: 'bytes',
    from: node,
    labels: [],
  },
  eventLoopLag: {
    name: 'nodejs_eventloop_lag_p99_seconds',
    kind: 'gauge',
    help: '99th percentile of the delay of the event loop since the last scrape',
    unit: 's',
    from: node,
    labels: [],
  },
} as const satisfies Record<string, ForeignMetric>
