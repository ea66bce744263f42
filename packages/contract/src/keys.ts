import { Type } from 'typebox'
import { Count, EpochMs } from './text.ts'

/** The contract's stored key shapes for routing. Nothing else may build or parse these strings. */
export const keys = {
  roomPod: (roomId: string) => `room:${roomId}:pod`,
  podMetrics: (podId: string) => `pod:${podId}:metrics`,
  podMetricsPattern: 'pod:*:metrics',
  podIdIn: (podMetricsKey: string) => podMetricsKey.slice('pod:'.length, -':metrics'.length),
  waitingParticipants: (experimentId: string) => `waiting:${experimentId}:participants`,
} as const

export const RoomAssignment = Type.Object({
  podId: Type.String(),
  participantCount: Count('Participants of the room'),
  assignedAt: EpochMs('When the room was pinned'),
})
export type RoomAssignment = Type.Static<typeof RoomAssignment>

export const PodMetrics = Type.Object({
  activeRooms: Count('Open rooms on the pod'),
  totalParticipants: Count('Participants in them'),
  lastUpdate: EpochMs('When the pod reported'),
  cpuUsage: Type.Optional(Type.Number({ minimum: 0, description: 'Share of one core, 1 = a whole core' })),
  memoryUsage: Type.Optional(Type.Number({ minimum: 0, description: 'Resident bytes' })),
})
export type PodMetrics = Type.Static<typeof PodMetrics>
