import { Type } from 'typebox'
import { Count, EpochMs } from './text.ts'

// What instances and the router share in Redis: keys, the values under them, and the channels of the bus. Everything
// here can be lost and is rebuilt. Nothing else may build or parse these strings.

/** The contract's keys for routing, and our own beside them (R28). */
export const keys = {
  roomPod: (roomId: string) => `room:${roomId}:pod`,
  podMetrics: (podId: string) => `pod:${podId}:metrics`,
  waitingParticipants: (experimentId: string) => `waiting:${experimentId}:participants`,

  podLease: (podId: string) => `pod:${podId}:lease`,
  podMetricsPattern: 'pod:*:metrics',
  podIdInMetrics: (podMetricsKey: string) => podMetricsKey.slice('pod:'.length, -':metrics'.length),
  /** Rooms that a pod holds, with the number of participants in each. */
  podRooms: (podId: string) => `pod:${podId}:rooms`,
  /** The same for rooms reserved on the pod. */
  podReserved: (podId: string) => `pod:${podId}:reserved`,
  /** Ids of all pods that may have any of these keys. */
  pods: 'pods',
  /** Exists while nobody needs to search for pods that others have written. */
  podsLookedFor: 'pods:looked-for',

  /** The queue of an experiment: arrivals, until when each participant is present, who they are, and recent claims. */
  waitingArrivals: (experimentId: string) => `waiting:${experimentId}:arrivals`,
  waitingPresence: (experimentId: string) => `waiting:${experimentId}:presence`,
  waitingPeople: (experimentId: string) => `waiting:${experimentId}:people`,
  waitingAssigned: (experimentId: string) => `waiting:${experimentId}:assigned`,
  /** Arrivals of the last hour, still waiting or not. */
  waitingRecent: (experimentId: string) => `waiting:${experimentId}:recent`,
  waitingLeader: (experimentId: string) => `waiting:${experimentId}:leader`,
  waitingExperiments: 'waiting:experiments',
  /** Groups whose room is being made, by room, and until when they are reserved. */
  reservations: 'reservations',
  reservationsUntil: 'reservations:until',
} as const

/** Under `keys.roomPod`. */
export const RoomAssignment = Type.Object({
  podId: Type.String(),
  participantCount: Count('Participants of the room'),
  assignedAt: EpochMs('When the room was pinned'),
})
export type RoomAssignment = Type.Static<typeof RoomAssignment>

/** Under `keys.podMetrics`. */
export const PodMetrics = Type.Object({
  activeRooms: Count('Rooms that the pod holds; none that rest'),
  totalParticipants: Count('People who have a seat in them'),
  lastUpdate: EpochMs('When the pod reported'),
  cpuUsage: Type.Optional(Type.Number({ minimum: 0, description: 'Share of one core, 1 = a whole core' })),
  memoryUsage: Type.Optional(Type.Number({ minimum: 0, description: 'Resident bytes' })),
})
export type PodMetrics = Type.Static<typeof PodMetrics>

/** Under `keys.podLease`, our own (R28). The pod is alive while the key exists, which expires soon after the pod dies. */
export const PodLease = Type.Object({
  address: Type.String({ description: 'Where the router reaches the pod' }),
  draining: Type.Boolean({ description: 'The pod finishes what it has and takes nothing new' }),
  maxRooms: Count('Rooms that it takes'),
  maxParticipants: Count('Participants that it takes, in all rooms'),
})
export type PodLease = Type.Static<typeof PodLease>

/** What instances tell each other, and the router. Messages may be lost: every listener must recover without them. */
export const busMessages = {
  sessions_changed: Type.Object({ sessionIds: Type.Array(Type.String()) }),
  /** A participant has completed: rooms in which they have a seat no longer wait for them. */
  participant_completed: Type.Object({ participantId: Type.String(), outcome: Type.String() }),
  /** A participant has withdrawn their consent: rooms in which they have a seat let them go. */
  consent_withdrawn: Type.Object({ participantId: Type.String() }),
  /** Somebody has come or gone: a group may be possible. */
  waiting_changed: Type.Object({ experimentId: Type.String() }),
  /** A session has connected to the waiting room: its older sockets on other instances are replaced. */
  waiting_seat_taken: Type.Object({
    sessionId: Type.String(),
    socketId: Type.String(),
    at: EpochMs('When the socket connected'),
  }),
  /** A group was claimed for this pod, which now makes the room. */
  room_reserved: Type.Object({ podId: Type.String() }),
  /** Another pod has taken the room. */
  room_moved: Type.Object({ roomId: Type.String() }),
} as const
export type BusTopic = keyof typeof busMessages
export type BusMessages = { [Topic in BusTopic]: Type.Static<(typeof busMessages)[Topic]> }

/** The Redis channel of a topic. */
export const busChannel = (topic: BusTopic): string => `atrium:bus:${topic}`
