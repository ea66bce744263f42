import { Type } from 'typebox'
import { Count } from '../text.ts'
import { defineRoute } from './route.ts'

const open = { tag: 'Operations', envelope: 'plain', auth: 'none', method: 'GET' } as const

export const PodHealth = Type.Object({
  podId: Type.String(),
  status: Type.Union([Type.Literal('healthy'), Type.Literal('draining')]),
  rooms: Count('Rooms that this instance holds, excluding rooms at rest'),
  participants: Count('Participants with a seat in these rooms'),
})
export type PodHealth = Type.Static<typeof PodHealth>

export const ClusterHealth = Type.Object({
  totalPods: Count('Instances whose metrics key has not expired'),
  healthyPods: Count('Instances among them with a recent report'),
  totalRooms: Count('Rooms that are held by an instance or about to be taken over, excluding rooms at rest'),
  totalParticipants: Count('Participants with a seat in these rooms'),
})
export type ClusterHealth = Type.Static<typeof ClusterHealth>

export const InstanceMetrics = Type.Object({
  podId: Type.String(),
  uptimeSeconds: Type.Number(),
  version: Type.String(),
  places: Type.Union(
    [
      Type.Object({
        rooms: Count('Used by rooms that the instance holds and by groups whose room is being created'),
        maxRooms: Count('MAX_ROOMS_PER_POD'),
        participants: Count('Used by the participants in those rooms and groups'),
        maxParticipants: Count('MAX_PARTICIPANTS_PER_POD'),
      }),
      Type.Null(),
    ],
    { description: 'Capacity of this instance as matching sees it; null if it cannot be read' },
  ),
  memory: Type.Object({ rssBytes: Count('Resident set size'), heapUsedBytes: Count('Used heap') }),
  eventLoopDelayMs: Type.Object({ p50: Type.Number(), p99: Type.Number() }),
  requests: Type.Object({
    total: Count('Requests answered'),
    serverErrors: Count('Requests answered with 5xx'),
  }),
  events: Type.Object({
    recorded: Count('Events stored, both sent by clients and recorded by rooms'),
    commits: Count('Transactions used to store them, including all room actions'),
  }),
  sessions: Type.Object({
    cached: Count('Sessions in memory'),
    userAgentMismatches: Count('Requests refused because a different browser used the session'),
  }),
})
export type InstanceMetrics = Type.Static<typeof InstanceMetrics>

/** Of a network that is reserved for documentation, so nobody has it. `npm run doctor` claims to. */
export const claimedAddress = '192.0.2.77'

export const ConnectionView = Type.Object({
  client: Type.Union([Type.Literal('connection'), Type.Literal('proxy'), Type.Literal('caller')], {
    description: `Whose word the server takes for the client address: that of the connection itself, of a trusted proxy, or of the caller, who claims to be ${claimedAddress} in X-Forwarded-For`,
  }),
  isForwarded: Type.Boolean({
    description: 'Whether X-Forwarded-For has arrived with an address that the caller has not claimed',
  }),
  protocol: Type.Union([Type.Literal('http'), Type.Literal('https')], {
    description: 'As the server sees it: https only if a trusted proxy says so',
  }),
})
export type ConnectionView = Type.Static<typeof ConnectionView>

export const operationsRoutes = {
  live: defineRoute({
    ...open,
    path: '/health/live',
    summary: 'Check that the process is alive',
    success: { status: 200, schema: Type.Object({ status: Type.Literal('ok') }), description: 'Alive' },
  }),
  ready: defineRoute({
    ...open,
    path: '/health/ready',
    summary: 'Check that the instance can receive traffic',
    description:
      'Not ready while it drains, or while it cannot reach or write to its database (`details.reason` is `disk_full` if there is no space left, `read_only` if it accepts no changes). Losing Redis does not make it unready. Nor does a disk of an embedded database with little space left (`space`): people finish there.',
    success: {
      status: 200,
      schema: Type.Object({
        status: Type.Literal('ready'),
        space: Type.Enum(['enough', 'low', 'critical'], {
          description:
            '`low`: below `MIN_FREE_BYTES`, participants can only finish; `critical`: below half of it, they can only complete or leave. Always `enough` with PostgreSQL, whose disk the server cannot see',
        }),
      }),
      description: 'Ready',
    },
  }),
  pod: defineRoute({
    ...open,
    path: '/health/pod',
    summary: 'Get the health of this instance',
    success: { status: 200, schema: PodHealth, description: 'Identity and load' },
  }),
  cluster: defineRoute({
    ...open,
    path: '/health/cluster',
    summary: 'Get the health of all instances',
    success: { status: 200, schema: ClusterHealth, description: 'Totals over all instances' },
  }),
  connection: defineRoute({
    ...open,
    path: '/health/connection',
    summary: 'Check how the server sees a connection through the proxies in front of it',
    description: `For \`npm run doctor\`, which sends \`X-Forwarded-For: ${claimedAddress}\`. No address is part of the response.`,
    success: { status: 200, schema: ConnectionView, description: 'How the server sees this request' },
  }),
  metrics: defineRoute({
    ...open,
    path: '/api/health/metrics',
    summary: 'Get the metrics of this instance as JSON',
    description: 'The Prometheus text format is served at /metrics on a separate port (METRICS_PORT).',
    success: { status: 200, schema: InstanceMetrics, description: 'Metrics since the process started' },
  }),
  openApi: defineRoute({
    ...open,
    tag: 'Reference',
    path: '/api/openapi.json',
    summary: 'Get this API as an OpenAPI 3.1 document',
    success: { status: 200, schema: Type.Object({ openapi: Type.String() }), description: 'The document' },
  }),
  asyncApi: defineRoute({
    ...open,
    tag: 'Reference',
    path: '/api/asyncapi.json',
    summary: 'Get the sockets of participants as an AsyncAPI 3.0 document',
    success: {
      status: 200,
      schema: Type.Object({ asyncapi: Type.String({ examples: ['3.0.0'] }) }),
      description: 'The document',
    },
  }),
  docs: defineRoute({
    ...open,
    tag: 'Reference',
    path: '/api/docs',
    summary: 'Get this API as a web page',
    success: { status: 200, contentType: 'text/html', description: 'The page' },
  }),
} as const
