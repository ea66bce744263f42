import { Count, EpochMs, MetricSample } from '@atrium/contract'
import { Type } from 'typebox'

// What instances and the router share in Redis: keys, their values, and the channels of the bus. Everything here can be
// lost and is then rebuilt. No other file may build or parse these strings.

/** The routing keys of the contract, then our own (R28). */
export const keys = {
  roomPod: (roomId: string) => `room:${roomId}:pod`,
  podMetrics: (podId: string) => `pod:${podId}:metrics`,
  waitingParticipants: (experimentId: string) => `waiting:${experimentId}:participants`,

  podLease: (podId: string) => `pod:${podId}:lease`,
  /** Recent metrics of an instance, for administrators. */
  podHistory: (podId: string) => `pod:${podId}:history`,
  podMetricsPattern: 'pod:*:metrics',
  podIdInMetrics: (podMetricsKey: string) => podMetricsKey.slice('pod:'.length, -':metrics'.length),
  /** Rooms that an instance holds, with the number of participants in each. */
  podRooms: (podId: string) => `pod:${podId}:rooms`,
  /** The same for rooms that are reserved on the instance. */
  podReserved: (podId: string) => `pod:${podId}:reserved`,
  /** Ids of all instances that may have any of these keys. */
  pods: 'pods',
  /** While this key exists, no instance needs to search for instances that were registered by others. */
  podsLookedFor: 'pods:looked-for',

  /** The queue of an experiment: arrivals, until when each participant is present, who they are, and recent claims. */
  waitingArrivals: (experimentId: string) => `waiting:${experimentId}:arrivals`,
  waitingPresence: (experimentId: string) => `waiting:${experimentId}:presence`,
  waitingPeople: (experimentId: string) => `waiting:${experimentId}:people`,
  waitingAssigned: (experimentId: string) => `waiting:${experimentId}:assigned`,
  /** Arrivals of the last hour, whether still waiting or not. */
  waitingRecent: (experimentId: string) => `waiting:${experimentId}:recent`,
  waitingLeader: (experimentId: string) => `waiting:${experimentId}:leader`,
  waitingExperiments: 'waiting:experiments',
  /** Groups whose room is being created, by room, and when their reservation ends. */
  reservations: 'reservations',
  reservationsUntil: 'reservations:until',

  /** Id of the newest transcode job of a video; the workers stop older ones. */
  newestTranscode: (videoId: string) => `transcode:${videoId}:newest`,
} as const

/** Queues of work for other programs; BullMQ keeps several keys for each, below the prefix. */
export const queues = { prefix: 'atrium:queue', transcode: 'transcode', probe: 'probe' } as const

/** Under `keys.roomPod`. */
export const RoomAssignment = Type.Object({
  podId: Type.String(),
  participantCount: Count('Participants in the room'),
  assignedAt: EpochMs('When the room was pinned'),
})
export type RoomAssignment = Type.Static<typeof RoomAssignment>

/** Under `keys.podMetrics`. */
export const PodMetrics = Type.Object({
  activeRooms: Count('Rooms that the pod holds, excluding rooms at rest'),
  totalParticipants: Count('Participants with a seat in these rooms'),
  lastUpdate: EpochMs('When the pod reported'),
  cpuUsage: Type.Optional(
    Type.Number({ minimum: 0, description: 'CPU use as a share of one core; 1 is a whole core' }),
  ),
  memoryUsage: Type.Optional(Type.Number({ minimum: 0, description: 'Resident bytes' })),
})
export type PodMetrics = Type.Static<typeof PodMetrics>

/** Under `keys.podLease`, our own (R28). The key expires soon after the instance dies, so an instance with a key is alive. */
export const PodLease = Type.Object({
  address: Type.String({ description: 'Address at which the router reaches the pod' }),
  draining: Type.Boolean({ description: 'The pod finishes its rooms and accepts no new ones' }),
  maxRooms: Count('Maximum number of rooms'),
  maxParticipants: Count('Maximum number of participants in all rooms'),
  renewedAt: Type.Optional(EpochMs('When the pod renewed it; earlier versions do not say')),
})
export type PodLease = Type.Static<typeof PodLease>

/** Under `keys.podHistory`. */
export const PodHistory = Type.Object({
  runningSince: EpochMs('When the process started'),
  canWrite: Type.Boolean({
    description: 'Whether the pod could write to its database at the last heartbeat',
  }),
  samples: Type.Array(MetricSample),
})
export type PodHistory = Type.Static<typeof PodHistory>

/** Instances before 0.3.0 do not name the room, and run beside newer ones during an upgrade. */
const roomId = Type.Optional(Type.String())

/** Messages between instances, and to the router. They may be lost, so every listener must recover without them. */
export const busMessages = {
  sessions_changed: Type.Object({ sessionIds: Type.Array(Type.String()) }),
  /** API keys were revoked: no instance accepts them any more. */
  keys_revoked: Type.Object({ keyIds: Type.Array(Type.String()) }),
  /** Who may see an experiment has changed: whoever watches it is asked again. */
  shares_changed: Type.Object({ experimentId: Type.String() }),
  /** A participant has completed: their room no longer waits for them. */
  participant_completed: Type.Object({ roomId, participantId: Type.String(), outcome: Type.String() }),
  /** A participant has withdrawn consent: their room lets them go. */
  consent_withdrawn: Type.Object({ roomId, participantId: Type.String() }),
  /** Someone has arrived or left, so a group may be possible. */
  waiting_changed: Type.Object({ experimentId: Type.String() }),
  /** A session has connected to the waiting room: its older sockets on other instances are replaced. */
  waiting_seat_taken: Type.Object({
    sessionId: Type.String(),
    socketId: Type.String(),
    at: EpochMs('When the socket connected'),
  }),
  /** A group was claimed for this instance, which now creates the room. */
  room_reserved: Type.Object({ podId: Type.String() }),
  /** Another instance has taken the room. */
  room_moved: Type.Object({ roomId: Type.String() }),
  /** What somebody did in a room was deleted (R48): whoever holds the room reads it again. */
  room_rewritten: Type.Object({ roomId: Type.String() }),
  /** The record of a video has changed: consoles that show it are told. */
  video_updated: Type.Object({ videoId: Type.String() }),
} as const
export type BusTopic = keyof typeof busMessages
export type BusMessages = { [Topic in BusTopic]: Type.Static<(typeof busMessages)[Topic]> }

/** The Redis channel of a topic. */
export const busChannel = (topic: BusTopic): string => `atrium:bus:${topic}`
