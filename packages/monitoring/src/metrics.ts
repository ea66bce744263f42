/** The programs that can be scraped. */
export type MeteredProgram = 'server' | 'router' | 'web' | 'worker' | 'objects'

/** Units as Grafana calls them. */
export type MetricUnit = 'short' | 's' | 'ms' | 'bytes'

export interface MetricDeclaration {
  name: string
  kind: 'counter' | 'gauge' | 'histogram'
  help: string
  unit: MetricUnit
  programs: readonly MeteredProgram[]
  labels?: readonly string[]
  /** Of histograms only. */
  buckets?: readonly number[]
}

const server = ['server'] as const
const router = ['router'] as const
const objects = ['objects'] as const

/** Every metric of the contract and our own, once. Programs also expose Node's default metrics. */
export const metrics = {
  httpRequestDuration: {
    name: 'http_request_duration_seconds',
    kind: 'histogram',
    help: 'Duration of HTTP requests in seconds',
    unit: 's',
    programs: ['server', 'web'],
    labels: ['method', 'route', 'status'],
    buckets: [0.1, 0.5, 1, 2, 5],
  },
  httpRequests: {
    name: 'http_requests_total',
    kind: 'counter',
    help: 'Number of HTTP requests',
    unit: 'short',
    programs: ['server', 'web'],
    labels: ['status'],
  },
  activeExperiments: {
    name: 'app_active_experiments',
    kind: 'gauge',
    help: 'Experiments with at least one open room',
    unit: 'short',
    programs: server,
  },
  activeRooms: {
    name: 'app_active_rooms',
    kind: 'gauge',
    help: 'Rooms that this instance holds, excluding rooms at rest',
    unit: 'short',
    programs: server,
  },
  freeBytes: {
    name: 'app_storage_free_bytes',
    kind: 'gauge',
    help: 'Free bytes on the disk of the embedded database; absent with PostgreSQL',
    unit: 'bytes',
    programs: server,
  },
  syncAccuracy: {
    name: 'app_sync_accuracy_ms',
    kind: 'histogram',
    help: 'Absolute playback drift reported by participants, in milliseconds',
    unit: 'ms',
    programs: server,
    buckets: [1, 5, 10, 25, 50, 100, 250, 500, 1000],
  },
  connectedClients: {
    name: 'socketio_connected_clients',
    kind: 'gauge',
    help: 'Live socket connections',
    unit: 'short',
    programs: server,
  },
  disconnects: {
    name: 'socketio_disconnect_total',
    kind: 'counter',
    help: 'Socket disconnections',
    unit: 'short',
    programs: server,
    labels: ['reason'],
  },
  waitingParticipants: {
    name: 'app_waiting_participants',
    kind: 'gauge',
    help: 'Participants waiting on this instance',
    unit: 'short',
    programs: server,
  },
  waitingForCapacity: {
    name: 'app_waiting_for_capacity',
    kind: 'gauge',
    help: 'Waiting participants whose group is complete but for whom no instance has capacity',
    unit: 'short',
    programs: server,
  },
  exports: {
    name: 'app_exports_total',
    kind: 'counter',
    help: 'Finished exports, by outcome',
    unit: 'short',
    programs: server,
    labels: ['outcome'],
  },
  agentTurns: {
    name: 'agent_turns_total',
    kind: 'counter',
    help: 'Turns of agents, by the outcome of each call of a model',
    unit: 'short',
    programs: server,
    labels: ['outcome'],
  },
  agentTurnDuration: {
    name: 'agent_turn_duration_seconds',
    kind: 'histogram',
    help: 'How long models take to reply, in seconds',
    unit: 's',
    programs: server,
    // Small models on fast hardware at one end, the longest time-out of a credential at the other.
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300],
  },
  agentTokens: {
    name: 'agent_tokens_total',
    kind: 'counter',
    help: 'Tokens that models have read (`prompt`) and written (`completion`)',
    unit: 'short',
    programs: server,
    labels: ['kind'],
  },
  routerRequests: {
    name: 'router_requests_total',
    kind: 'counter',
    help: 'HTTP requests by target and response status',
    unit: 'short',
    programs: router,
    labels: ['target', 'status'],
  },
  routerRequestDuration: {
    name: 'router_request_duration_seconds',
    kind: 'histogram',
    help: 'From the head of a request to the end of its response',
    unit: 's',
    programs: router,
    labels: ['target'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
  },
  routerLookups: {
    name: 'router_lookups_total',
    kind: 'counter',
    help: 'Lookups of the pod that has a room',
    unit: 'short',
    programs: router,
    labels: ['result'],
  },
  routerUpgrades: {
    name: 'router_upgrades_total',
    kind: 'counter',
    help: 'Upgrade requests by outcome',
    unit: 'short',
    programs: router,
    labels: ['outcome'],
  },
  routerUpgradeFailures: {
    name: 'router_upgrade_failures_total',
    kind: 'counter',
    help: 'Upgrades that failed because no backend responded',
    unit: 'short',
    programs: router,
  },
  routerOpenSockets: {
    name: 'router_open_sockets',
    kind: 'gauge',
    help: 'Open sockets through the router',
    unit: 'short',
    programs: router,
  },
  transcodeJobs: {
    name: 'transcode_jobs_total',
    kind: 'counter',
    help: 'Transcode jobs that this worker has let go, by how they ended',
    unit: 'short',
    programs: ['worker'],
    labels: ['end'],
  },
  // The object store knows nothing of the platform and names these itself; a test of it compares them with what is here.
  objectRequests: {
    name: 'objects_requests_total',
    kind: 'counter',
    help: 'Requests by method and response status',
    unit: 'short',
    programs: objects,
    labels: ['method', 'status'],
  },
  objectsReceived: {
    name: 'objects_received_bytes_total',
    kind: 'counter',
    help: 'Bytes of request bodies, as announced',
    unit: 'bytes',
    programs: objects,
  },
  objectsUsed: {
    name: 'objects_used_bytes',
    kind: 'gauge',
    help: 'Bytes of all objects and parts; only counted if there is a quota',
    unit: 'bytes',
    programs: objects,
  },
} as const satisfies Record<string, MetricDeclaration>

/** The declared metrics of one program. */
export const metricsOf = (program: MeteredProgram): MetricDeclaration[] =>
  Object.values<MetricDeclaration>(metrics).filter(({ programs }) => programs.includes(program))
