import { randomBytes } from 'node:crypto'
import { sessionIdPrefix } from '@atrium/contract'

const random = (prefix: string, bytes: number): string => prefix + randomBytes(bytes).toString('base64url')

/** R12: 32 random bytes, because the id alone is the credential. */
export const newSessionId = (): string => random(sessionIdPrefix, 32)
export const newParticipantId = (): string => random('part_', 16)
export const newRoomId = (): string => random('room_', 16)
export const newExperimentId = (): string => random('exp_', 12)
