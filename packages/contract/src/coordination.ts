import { Type } from 'typebox'
import { Count, EpochMs } from './text.ts'

/**
 * The contract's stored key shapes for routing, and our own beside them (R28). Nothing else may build or parse these
 * strings.
 */
export const keys = {
  roomPod: (roomId: string) => `room:${roomId}:pod`,
  podMetrics: (podId: string) => `pod:${podId}:metrics`,
  waitingParticipants: (experimentId: string) => `waiting:${experimentId}:participants`,

  podLease: (podId: string) => `pod:${podId}:lease`,
  podMetricsPattern: 'pod:*:metrics',
  podIdInMetrics: (podMetricsKey: string) => podMetricsKey.slice('pod:'.length, -':metrics'.length),
  /** Rooms that a pod holds, with the number of participants. */
  podRooms: (podId: string) => `pod:${podId}:rooms`,
  /** The same of rooms that are on their way to it. */
  podReserved: (podId: string) => `pod:${podId}:reserved`,
  /** Ids of the pods that may have any of these. */
  pods: 'pods',
  /** There while nobody needs to look for pods that others have written. */
  podsLookedFor: 'pods:looked-for',

  /** The queue of an experiment: by arrival, until when each is present, who they are, and who was claimed lately. */
  waitingArrivals: (experimentId: string) => `waiting:${experimentId}:arrivals`,
  waitingPresence: (experimentId: string) => `waiting:${experimentId}:presence`,
  waitingPeople: (experimentId: string) => `waiting:${experimentId}:people`,
  waitingAssigned: (experimentId: string) => `waiting:${experimentId}:assigned`,
  /** Arrivals of the last hour, whether they still wait or not. */
  waitingRecent: (experimentId: string) => `waiting:${experimentId}:recent`,
  waitingLeader: (experimentId: string) => `waiting:${experimentId}:leader`,
  waitingExperiments: 'waiting:experiments',
  /** Groups whose room is being made, by room, and until when. */
  reservations: 'reservations',
  reservationsUntil: 'reservations:until',
} as const

export const RoomAssignment = Type.Object({
  podId: Type.String(),
  participantCount: Count('Participants of the room'),
  assignedAt: EpochMs('When the room was pinned'),
})
export type RoomAssignment = Type.Static<typeof RoomAssignment>

export const PodMetrics = Type.Object({
  activeRooms: Count('Rooms that the pod holds; none that rest'),
  totalParticipants: Count('People who have a seat in them'),
  lastUpdate: EpochMs('When the pod reported'),
  cpuUsage: Type.Optional(Type.Number({ minimum: 0, description: 'Share of one core, 1 = a whole core' })),
  memoryUsage: Type.Optional(Type.Number({ minimum: 0, description: 'Resident bytes' })),
})
export type PodMetrics = Type.Static<typeof PodMetrics>

/** Our own, beside the contract's keys (R28): while it is there the pod is alive. It lapses soon after its pod. */
export const PodLease = Type.Object({
  address: Type.String({ description: 'Where the router reaches the pod' }),
  draining: Type.Boolean({ description: 'The pod finishes what it has and takes nothing new' }),
  maxRooms: Count('Rooms that it takes'),
  maxParticipants: Count('Participants that it takes, in all rooms'),
})
export type PodLease = Type.Static<typeof PodLease>
