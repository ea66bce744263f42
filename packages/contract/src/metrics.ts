/** The metrics of the contract and our own. The server also exposes Node's default metrics. */
export const metrics = {
  httpRequestDuration: {
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests in seconds',
    labels: ['method', 'route', 'status'],
    buckets: [0.1, 0.5, 1, 2, 5],
  },
  httpRequests: { name: 'http_requests_total', help: 'Number of HTTP requests', labels: ['status'] },
  activeExperiments: {
    name: 'app_active_experiments',
    help: 'Experiments with at least one open room',
  },
  activeRooms: {
    name: 'app_active_rooms',
    help: 'Rooms that this instance holds, excluding rooms at rest',
  },
  syncAccuracy: {
    name: 'app_sync_accuracy_ms',
    help: 'Absolute playback drift reported by participants, in milliseconds',
    buckets: [1, 5, 10, 25, 50, 100, 250, 500, 1000],
  },
  connectedClients: { name: 'socketio_connected_clients', help: 'Live socket connections' },
  waitingParticipants: { name: 'app_waiting_participants', help: 'Participants waiting on this instance' },
  waitingForCapacity: {
    name: 'app_waiting_for_capacity',
    help: 'Waiting participants whose group is complete but for whom no instance has capacity',
  },
  exports: { name: 'app_exports_total', help: 'Finished exports, by outcome', labels: ['outcome'] },
  agentTurns: {
    name: 'agent_turns_total',
    help: 'Turns of agents, by the outcome of each call of a model',
    labels: ['outcome'],
  },
  agentTurnDuration: {
    name: 'agent_turn_duration_seconds',
    help: 'How long models take to reply, in seconds',
    // Small models on fast hardware at one end, the longest time-out of a credential at the other.
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300],
  },
  agentTokens: {
    name: 'agent_tokens_total',
    help: 'Tokens that models have read (`prompt`) and written (`completion`)',
    labels: ['kind'],
  },
  disconnects: { name: 'socketio_disconnect_total', help: 'Socket disconnections', labels: ['reason'] },
} as const
