import { foreignMetrics } from './foreign-metrics.ts'
import { metrics } from './metrics.ts'

export interface AlertDeclaration {
  name: string
  /** The condition, in the words of the contract. */
  condition: string
  /** When it holds, in PromQL. */
  expression: string
  /** For how long it has to hold before the alert fires; undefined = at once, because the window is in the expression. */
  holdsFor?: string
  severity: 'critical' | 'warning'
  /** For the person who is woken up, with the labels that the expression keeps. */
  summary: string
}

const { httpRequests, disconnects } = metrics
const { containerCpu, containerCpuQuota, containerCpuPeriod } = foreignMetrics
const { containerMemory, containerMemoryLimit, podRestarts } = foreignMetrics

/**
 * The window of a share or a usage that has to hold for minutes. A burst shows for as long as it lasts plus this window,
 * so a window as long as the duration would turn a burst of seconds into an alert. Two scrapes have to fit in.
 */
const shortWindow = '2m'

/** Without it, the sums that cAdvisor keeps for a whole pod would be counted too. */
const containers = '{container!=""}'
const byContainer = 'sum by (namespace, pod, container)'
const container = '{{ $labels.namespace }}/{{ $labels.pod }} ({{ $labels.container }})'

/** The contract's alerts (Alert thresholds), with exactly its conditions. */
export const alerts: readonly AlertDeclaration[] = [
  {
    name: 'HighErrorRate',
    condition: '5xx share above 5 percent for 5 minutes',
    expression:
      `sum by (job) (rate(${httpRequests.name}{status=~"5.."}[${shortWindow}]))` +
      ` / sum by (job) (rate(${httpRequests.name}[${shortWindow}])) > 0.05`,
    holdsFor: '5m',
    severity: 'critical',
    summary: '{{ $value | humanizePercentage }} of the responses of {{ $labels.job }} are server errors',
  },
  {
    name: 'HighCPUUsage',
    condition: 'CPU above 80 percent of quota for 10 minutes',
    // Containers without a quota have no such series, or one that is not positive.
    expression:
      `${byContainer} (rate(${containerCpu.name}${containers}[${shortWindow}]))` +
      ` / ${byContainer} ((${containerCpuQuota.name}${containers} > 0) / ${containerCpuPeriod.name}${containers}) > 0.8`,
    holdsFor: '10m',
    severity: 'warning',
    summary: `${container} uses {{ $value | humanizePercentage }} of its CPU quota`,
  },
  {
    name: 'MemoryPressure',
    condition: 'memory above 90 percent of limit for 5 minutes',
    expression:
      `${byContainer} (${containerMemory.name}${containers})` +
      ` / (${byContainer} (${containerMemoryLimit.name}${containers}) > 0) > 0.9`,
    holdsFor: '5m',
    severity: 'critical',
    summary: `${container} uses {{ $value | humanizePercentage }} of its memory limit`,
  },
  {
    name: 'FrequentPodRestarts',
    condition: 'more than 5 restarts in 1 hour',
    // `increase` extrapolates to the edges of the hour: five restarts give 5.04. Restarts are whole.
    expression: `sum by (namespace, pod) (round(increase(${podRestarts.name}[1h]))) > 5`,
    severity: 'critical',
    summary: '{{ $labels.namespace }}/{{ $labels.pod }} has restarted {{ $value }} times within an hour',
  },
  {
    name: 'SocketIOConnectionDrop',
    condition: 'disconnect rate above 10 per second over 5 minutes',
    expression: `sum by (job) (rate(${disconnects.name}[5m])) > 10`,
    severity: 'critical',
    summary: '{{ $labels.job }} loses {{ $value | humanize }} socket connections per second',
  },
]
