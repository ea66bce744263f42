/** The contract's metrics: names, labels and buckets; and ours beside them. The server exposes these and Node's default ones. */
export const metrics = {
  httpRequestDuration: {
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests in seconds',
    labels: ['method', 'route', 'status'],
    buckets: [0.1, 0.5, 1, 2, 5],
  },
  httpRequests: { name: 'http_requests_total', help: 'HTTP requests', labels: ['status'] },
  activeExperiments: {
    name: 'app_active_experiments',
    help: 'Experiments with at least one open room',
  },
  activeRooms: {
    name: 'app_active_rooms',
    help: 'Rooms that this instance holds; a room at rest is held by none',
  },
  syncAccuracy: {
    name: 'app_sync_accuracy_ms',
    help: 'Absolute playback drift reported by participants, in milliseconds',
    buckets: [1, 5, 10, 25, 50, 100, 250, 500, 1000],
  },
  connectedClients: { name: 'socketio_connected_clients', help: 'Live socket connections' },
  waitingParticipants: { name: 'app_waiting_participants', help: 'People who wait through this instance' },
  waitingForCapacity: {
    name: 'app_waiting_for_capacity',
    help: 'Those of them whose group is complete while no instance has room for it',
  },
  exports: { name: 'app_exports_total', help: 'Exports that have ended, by outcome', labels: ['outcome'] },
  disconnects: { name: 'socketio_disconnect_total', help: 'Socket disconnections', labels: ['reason'] },
} as const
