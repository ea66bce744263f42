export {
  type BusMessages,
  type BusTopic,
  busChannel,
  busMessages,
  keys,
  PodHistory,
  PodLease,
  PodMetrics,
  queues,
  RoomAssignment,
} from './coordination.ts'
