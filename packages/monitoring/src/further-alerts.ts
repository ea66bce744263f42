import type { AlertDeclaration } from './alerts.ts'
import { foreignMetrics } from './foreign-metrics.ts'
import { metrics } from './metrics.ts'

const { routerRequests, waitingForCapacity, freeBytes, agentTurns, transcodeJobs } = metrics

const shareAbove = (part: string, whole: string, share: number): string =>
  `sum by (job) (rate(${part})) / sum by (job) (rate(${whole})) > ${share}`

/** What the contract's five alerts do not see. They are in a file of their own, so that nobody has to take them. */
export const furtherAlerts: readonly AlertDeclaration[] = [
  {
    name: 'InstanceDown',
    condition: 'a program cannot be scraped for 2 minutes',
    expression: `1 - ${foreignMetrics.up.name} > 0`,
    holdsFor: '2m',
    severity: 'critical',
    summary: '{{ $labels.instance }} of {{ $labels.job }} does not respond',
  },
  {
    name: 'RouterErrors',
    condition: '5xx share of a router above 5 percent for 5 minutes',
    expression: shareAbove(`${routerRequests.name}{status=~"5.."}[2m]`, `${routerRequests.name}[2m]`, 0.05),
    holdsFor: '5m',
    severity: 'critical',
    summary: '{{ $value | humanizePercentage }} of the responses through {{ $labels.job }} are server errors',
  },
  {
    name: 'NoCapacity',
    condition: 'complete groups wait because no instance has space, for 2 minutes',
    expression: `sum by (job) (${waitingForCapacity.name}) > 0`,
    holdsFor: '2m',
    severity: 'warning',
    summary: '{{ $value }} people wait for an instance with space',
  },
  {
    name: 'LittleSpace',
    condition: 'less than 2 GiB free on the disk of an embedded database for 5 minutes',
    expression: `min by (job) (${freeBytes.name}) < 2147483648`,
    holdsFor: '5m',
    severity: 'critical',
    summary: '{{ $value | humanize1024 }}B are free on the disk of {{ $labels.job }}',
  },
  {
    name: 'AgentsFallBack',
    condition: 'more than 20 percent of agents’ turns without a reply of their model for 5 minutes',
    expression: shareAbove(
      `${agentTurns.name}{outcome=~"fallback|timeout|budget"}[5m]`,
      `${agentTurns.name}[5m]`,
      0.2,
    ),
    holdsFor: '5m',
    severity: 'warning',
    summary: '{{ $value | humanizePercentage }} of the turns of agents do without their model',
  },
  {
    name: 'FilmsFail',
    condition: 'more than 5 videos failed in 1 hour',
    // `increase` extrapolates to the edges of the hour; videos are whole.
    expression: `sum by (job) (round(increase(${transcodeJobs.name}{end="failed"}[1h]))) > 5`,
    severity: 'warning',
    summary: '{{ $value }} videos could not be made ready within an hour',
  },
]
