import { Type } from 'typebox'
import { Count } from '../text.ts'
import { defineRoute } from './route.ts'

const open = { tag: 'Operations', envelope: 'plain', auth: 'none', method: 'GET' } as const

export const PodHealth = Type.Object({
  podId: Type.String(),
  status: Type.Union([Type.Literal('healthy'), Type.Literal('draining')]),
  rooms: Count('Rooms that this instance holds; a room at rest is held by none'),
  participants: Count('People who have a seat in them'),
})
export type PodHealth = Type.Static<typeof PodHealth>

export const ClusterHealth = Type.Object({
  totalPods: Count('Instances that reported within the time-to-live of their key'),
  healthyPods: Count('Of these, the ones whose report is fresh'),
  totalRooms: Count('Rooms that instances hold, or that are about to be taken over; none that rest'),
  totalParticipants: Count('People who have a seat in them'),
})
export type ClusterHealth = Type.Static<typeof ClusterHealth>

export const InstanceMetrics = Type.Object({
  podId: Type.String(),
  uptimeSeconds: Type.Number(),
  version: Type.String(),
  places: Type.Union(
    [
      Type.Object({
        rooms: Count('Taken: by the rooms that it holds, and by groups whose room is being made'),
        maxRooms: Count('MAX_ROOMS_PER_POD'),
        participants: Count('Taken: by the people of these'),
        maxParticipants: Count('MAX_PARTICIPANTS_PER_POD'),
      }),
      Type.Null(),
    ],
    { description: 'The places of this instance as matching sees them; null when that cannot be read' },
  ),
  memory: Type.Object({ rssBytes: Count('Resident'), heapUsedBytes: Count('Used heap') }),
  eventLoopDelayMs: Type.Object({ p50: Type.Number(), p99: Type.Number() }),
  requests: Type.Object({ total: Count('Answered'), serverErrors: Count('Answered with 5xx') }),
  events: Type.Object({
    recorded: Count('Events stored, sent by clients and recorded by rooms'),
    commits: Count('Durable transactions they took, with all actions of rooms'),
  }),
  sessions: Type.Object({
    cached: Count('Sessions in memory'),
    userAgentMismatches: Count('Requests refused because another browser used the session'),
  }),
})
export type InstanceMetrics = Type.Static<typeof InstanceMetrics>

export const operationsRoutes = {
  live: defineRoute({
    ...open,
    path: '/health/live',
    summary: 'The process turns',
    success: { status: 200, schema: Type.Object({ status: Type.Literal('ok') }), description: 'Alive' },
  }),
  ready: defineRoute({
    ...open,
    path: '/health/ready',
    summary: 'The instance may receive traffic',
    description:
      'Not ready while it drains, or cannot reach its database or write to it (`details.reason` is `disk_full` when there is no space). Redis never makes it unready.',
    success: { status: 200, schema: Type.Object({ status: Type.Literal('ready') }), description: 'Ready' },
  }),
  pod: defineRoute({
    ...open,
    path: '/health/pod',
    summary: 'This instance',
    success: { status: 200, schema: PodHealth, description: 'Identity and load' },
  }),
  cluster: defineRoute({
    ...open,
    path: '/health/cluster',
    summary: 'All instances',
    success: { status: 200, schema: ClusterHealth, description: 'Sums over the instances' },
  }),
  metrics: defineRoute({
    ...open,
    path: '/api/health/metrics',
    summary: 'Figures of this instance, as JSON',
    description: 'Prometheus’ text format is on a port of its own (METRICS_PORT), at /metrics.',
    success: { status: 200, schema: InstanceMetrics, description: 'Figures since the start' },
  }),
  openApi: defineRoute({
    ...open,
    tag: 'Reference',
    path: '/api/openapi.json',
    summary: 'This interface as OpenAPI 3.1',
    success: { status: 200, schema: Type.Object({ openapi: Type.String() }), description: 'The document' },
  }),
  docs: defineRoute({
    ...open,
    tag: 'Reference',
    path: '/api/docs',
    summary: 'This interface as a page to read',
    success: { status: 200, contentType: 'text/html', description: 'The page' },
  }),
} as const
