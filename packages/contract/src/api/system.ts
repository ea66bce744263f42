import { Type } from 'typebox'
import { Count, DurationMs, EpochMs } from '../text.ts'
import { defineRoute } from './route.ts'

const Sampled = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${description}; null if there is no value` })

/** The contract's metrics at one moment. The names are those of `metrics`. */
export const MetricSample = Type.Object({
  at: EpochMs('When it was taken'),
  memoryBytes: Count('Resident memory'),
  httpRequests: Sampled('Requests since the previous sample'),
  httpRequestDuration: Sampled('Their mean duration in seconds'),
  activeExperiments: Sampled('Experiments with at least one open room'),
  syncAccuracy: Sampled('Mean playback drift since the previous sample, in milliseconds'),
  connectedClients: Sampled('Live socket connections'),
  disconnects: Sampled('Socket disconnections since the previous sample'),
})
export type MetricSample = Type.Static<typeof MetricSample>

const forAdmins = { tag: 'System', envelope: 'plain', auth: 'admin', method: 'GET' } as const

const OrNull = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const SystemInstance = Type.Object({
  podId: Type.String(),
  status: Type.Union(
    [Type.Literal('healthy'), Type.Literal('draining'), Type.Literal('degraded'), Type.Literal('lost')],
    {
      description:
        '`draining`: finishes its rooms and accepts no new ones. `degraded`: alive, but cannot write to its database or reports late. `lost`: dead or cut off, and the others take its rooms',
    },
  ),
  rooms: Count('Rooms on the instance or reserved on it'),
  maxRooms: OrNull(Count('MAX_ROOMS_PER_POD'), 'Null if it is lost'),
  participants: Count('Participants in these rooms'),
  maxParticipants: OrNull(Count('MAX_PARTICIPANTS_PER_POD'), 'Null if it is lost'),
  memoryBytes: OrNull(
    Type.Number({ minimum: 0 }),
    'Resident memory in its last report; null without a report',
  ),
  cpuShare: OrNull(Type.Number({ minimum: 0 }), 'CPU use in its last report; 1 is a whole core'),
  leaseAgeMs: OrNull(DurationMs('Since it renewed its lease'), 'Null if it is lost'),
  reportAgeMs: OrNull(DurationMs('Since its last report'), 'Null if its report has expired'),
  runningSince: OrNull(EpochMs('When the process started'), 'Null if unknown'),
  samples: Type.Array(MetricSample, {
    description:
      'The contract’s metrics at its last heartbeats, oldest first; empty if it has not reported any',
  }),
})
export type SystemInstance = Type.Static<typeof SystemInstance>
export type InstanceStatus = SystemInstance['status']

const SystemInstances = Type.Object({
  at: EpochMs('The time of the server'),
  sampleEveryMs: DurationMs('METRICS_HEARTBEAT_INTERVAL of the instance that answers'),
  instances: Type.Array(SystemInstance),
})
export type SystemInstances = Type.Static<typeof SystemInstances>

/** More than any laboratory has; whoever was seen longest ago is left out. */
export const maxResearchersListed = 1_000

export const Researcher = Type.Object({
  person: Type.String({ description: 'Issuer and subject of their account, as in the audit log' }),
  email: OrNull(Type.String(), 'Their verified e-mail address, if the token contained one'),
  role: Type.Union([Type.Literal('admin'), Type.Literal('researcher')], {
    description: 'As of their last visit',
  }),
  roleFrom: Type.Union([Type.Literal('token'), Type.Literal('configuration')], {
    description: 'Whether the role came from the token of the identity provider or from ADMIN_USERS',
  }),
  firstSeenAt: EpochMs('When they first used the platform'),
  seenAt: EpochMs('When they last used it, to within some minutes'),
  experiments: Count('Experiments that belong to them'),
})
export type Researcher = Type.Static<typeof Researcher>

const Researchers = Type.Object({ researchers: Type.Array(Researcher) })
export type Researchers = Type.Static<typeof Researchers>

export const systemRoutes = {
  instances: defineRoute({
    ...forAdmins,
    path: '/api/system/instances',
    summary: 'List the instances with their load and recent metrics',
    description:
      'Each instance samples the metrics at every heartbeat and keeps the last 60 samples, in memory only. Counters are given as the increase since the previous sample, histograms as the mean of the values since then.',
    success: { status: 200, schema: SystemInstances, description: 'In the order of their ids' },
  }),
  researchers: defineRoute({
    ...forAdmins,
    path: '/api/system/researchers',
    summary: 'List the researchers and administrators who have used the platform',
    description: `Roles are not changed here: they come from the identity provider or from ADMIN_USERS. Scripts are not people and are not listed. At most ${maxResearchersListed}.`,
    success: { status: 200, schema: Researchers, description: 'Those seen most recently first' },
  }),
} as const
