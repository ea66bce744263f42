import {
  foreignMetrics,
  type MetricDeclaration,
  type MetricUnit,
  metrics,
} from '../../packages/monitoring/src/index.ts'

/** A panel of the dashboard: what it shows, in PromQL. */
export interface PanelDeclaration {
  title: string
  unit: MetricUnit | 'percentunit' | 'reqps' | 'cps' | 'Bps'
  queries: readonly { expression: string; legend: string }[]
}

export interface RowDeclaration {
  title: string
  panels: readonly PanelDeclaration[]
}

/** Grafana replaces it by a window in which there are enough scrapes. */
const window = '$__rate_interval'
/** The variable of the dashboard; its value is a pattern. */
const jobs = 'job=~"$job"'

const perSecond = ({ name }: { name: string }, by: string, matcher = ''): string =>
  `sum by (${by}) (rate(${name}{${jobs}${matcher}}[${window}]))`

const total = ({ name }: { name: string }, by = 'instance'): string => `sum by (${by}) (${name}{${jobs}})`

const quantile = ({ name }: MetricDeclaration, share: number, by = ''): string =>
  `histogram_quantile(${share}, sum by (le${by}) (rate(${name}_bucket{${jobs}}[${window}])))`

const quantiles = (metric: MetricDeclaration) =>
  [0.5, 0.95, 0.99].map((share) => ({ expression: quantile(metric, share), legend: `p${share * 100}` }))

const of = metrics
const foreign = foreignMetrics

/** The dashboard, from what participants notice down to the processes. */
export const dashboardRows: readonly RowDeclaration[] = [
  {
    title: 'Requests',
    panels: [
      {
        title: 'Requests by status',
        unit: 'reqps',
        queries: [{ expression: perSecond(of.httpRequests, 'status'), legend: '{{status}}' }],
      },
      {
        title: 'Share of server errors (alert above 5 %)',
        unit: 'percentunit',
        queries: [
          {
            expression: `${perSecond(of.httpRequests, 'job', ',status=~"5.."')} / ${perSecond(of.httpRequests, 'job')}`,
            legend: '{{job}}',
          },
        ],
      },
      { title: 'Duration of requests', unit: 's', queries: quantiles(of.httpRequestDuration) },
      {
        title: 'Slowest routes, p95',
        unit: 's',
        queries: [
          {
            expression: `topk(10, ${quantile(of.httpRequestDuration, 0.95, ', method, route')})`,
            legend: '{{method}} {{route}}',
          },
        ],
      },
    ],
  },
  {
    title: 'Rooms and participants',
    panels: [
      {
        title: 'Active experiments',
        unit: 'short',
        // Each instance counts all of them.
        queries: [{ expression: `max(${of.activeExperiments.name}{${jobs}})`, legend: 'experiments' }],
      },
      {
        title: 'Rooms by instance',
        unit: 'short',
        queries: [{ expression: total(of.activeRooms), legend: '{{instance}}' }],
      },
      {
        title: 'Waiting participants',
        unit: 'short',
        queries: [
          { expression: `sum(${of.waitingParticipants.name}{${jobs}})`, legend: 'waiting' },
          { expression: `sum(${of.waitingForCapacity.name}{${jobs}})`, legend: 'waiting for capacity' },
        ],
      },
      {
        title: 'Free space of an embedded database (alert below 2 GiB)',
        unit: 'bytes',
        queries: [{ expression: total(of.freeBytes), legend: '{{instance}}' }],
      },
      { title: 'Playback drift', unit: 'ms', queries: quantiles(of.syncAccuracy) },
    ],
  },
  {
    title: 'Sockets',
    panels: [
      {
        title: 'Connections by instance',
        unit: 'short',
        queries: [{ expression: total(of.connectedClients), legend: '{{instance}}' }],
      },
      {
        title: 'Disconnections by reason (alert above 10/s)',
        unit: 'cps',
        queries: [{ expression: perSecond(of.disconnects, 'reason'), legend: '{{reason}}' }],
      },
    ],
  },
  {
    title: 'Agents and exports',
    panels: [
      {
        title: 'Calls of models by outcome',
        unit: 'cps',
        queries: [{ expression: perSecond(of.agentTurns, 'outcome'), legend: '{{outcome}}' }],
      },
      { title: 'Time until models reply', unit: 's', queries: quantiles(of.agentTurnDuration) },
      {
        title: 'Tokens',
        unit: 'cps',
        queries: [{ expression: perSecond(of.agentTokens, 'kind'), legend: '{{kind}}' }],
      },
      {
        title: 'Exports by outcome',
        unit: 'cps',
        queries: [{ expression: perSecond(of.exports, 'outcome'), legend: '{{outcome}}' }],
      },
    ],
  },
  {
    title: 'Router',
    panels: [
      {
        title: 'Requests by target and status',
        unit: 'reqps',
        queries: [
          { expression: perSecond(of.routerRequests, 'target, status'), legend: '{{target}} {{status}}' },
        ],
      },
      {
        title: 'Duration by target, p95',
        unit: 's',
        queries: [{ expression: quantile(of.routerRequestDuration, 0.95, ', target'), legend: '{{target}}' }],
      },
      {
        title: 'Open sockets',
        unit: 'short',
        queries: [{ expression: total(of.routerOpenSockets), legend: '{{instance}}' }],
      },
      {
        title: 'Upgrades by outcome',
        unit: 'cps',
        queries: [
          { expression: perSecond(of.routerUpgrades, 'outcome'), legend: '{{outcome}}' },
          { expression: perSecond(of.routerUpgradeFailures, 'job'), legend: 'no backend responded' },
        ],
      },
      {
        title: 'Lookups of rooms by result',
        unit: 'cps',
        queries: [{ expression: perSecond(of.routerLookups, 'result'), legend: '{{result}}' }],
      },
    ],
  },
  {
    title: 'Videos',
    panels: [
      {
        title: 'Transcode jobs by end',
        unit: 'cps',
        queries: [{ expression: perSecond(of.transcodeJobs, 'end'), legend: '{{end}}' }],
      },
      {
        title: 'Object store: requests by status',
        unit: 'reqps',
        queries: [
          { expression: perSecond(of.objectRequests, 'method, status'), legend: '{{method}} {{status}}' },
        ],
      },
      {
        title: 'Object store: bytes received',
        unit: 'Bps',
        queries: [{ expression: perSecond(of.objectsReceived, 'instance'), legend: '{{instance}}' }],
      },
      {
        title: 'Object store: bytes used',
        unit: 'bytes',
        queries: [{ expression: total(of.objectsUsed), legend: '{{instance}}' }],
      },
    ],
  },
  {
    title: 'Processes',
    panels: [
      {
        title: 'CPU by instance (1 = a core)',
        unit: 'percentunit',
        queries: [
          { expression: perSecond(foreign.processCpu, 'job, instance'), legend: '{{job}} {{instance}}' },
        ],
      },
      {
        title: 'Resident memory by instance',
        unit: 'bytes',
        queries: [
          { expression: total(foreign.processMemory, 'job, instance'), legend: '{{job}} {{instance}}' },
        ],
      },
      {
        title: 'Delay of the event loop, p99',
        unit: 's',
        queries: [
          { expression: total(foreign.eventLoopLag, 'job, instance'), legend: '{{job}} {{instance}}' },
        ],
      },
      {
        title: 'Restarts of pods within an hour (alert above 5)',
        unit: 'short',
        queries: [
          {
            expression: `sum by (namespace, pod) (round(increase(${foreign.podRestarts.name}[1h])))`,
            legend: '{{namespace}}/{{pod}}',
          },
        ],
      },
    ],
  },
]
