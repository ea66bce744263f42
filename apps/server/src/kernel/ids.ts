import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { sessionIdPrefix, sessionPseudonymPrefix } from '@atrium/contract'
import { hideApiKeys } from './api-key.ts'

const random = (prefix: string, bytes: number): string => prefix + randomBytes(bytes).toString('base64url')

/** R12: 32 random bytes, because the id alone is the credential. */
export const newSessionId = (): string => random(sessionIdPrefix, 32)

const markBytes = 8
const markOf = (device: string, drawn: Buffer): Buffer =>
  createHmac('sha256', device).update(drawn).digest().subarray(0, markBytes)

/**
 * G12: of a guest's session the last eight bytes are a mark of the device that opened it. To everybody else all 32 are
 * random; nothing has to be stored to recognise the device again.
 */
export function newGuestSessionId(device: string): string {
  const drawn = randomBytes(32 - markBytes)
  return sessionIdPrefix + Buffer.concat([drawn, markOf(device, drawn)]).toString('base64url')
}

export function isOpenedBy(device: string, sessionId: string): boolean {
  const bytes = Buffer.from(sessionId.slice(sessionIdPrefix.length), 'base64url')
  const [drawn, mark] = [bytes.subarray(0, -markBytes), bytes.subarray(-markBytes)]
  return mark.length === markBytes && timingSafeEqual(mark, markOf(device, drawn))
}

/**
 * R59: what researchers and logs call a session. Derived from the id, so that it is the same everywhere without a
 * lookup; the id's 32 random bytes cannot be recovered from it.
 */
export const pseudonymOf = (sessionId: string): string =>
  sessionPseudonymPrefix + hash('sha256', `atrium session pseudonym ${sessionId}`, 'base64url').slice(0, 22)

// Longer matches too: an id directly followed by other letters would otherwise remain in part.
const sessionIds = new RegExp(`${sessionIdPrefix}[A-Za-z0-9_-]{43,}`, 'g')

/**
 * For text that leaves the server and that others may have written: a page may put its session's id into an event. API
 * keys are hidden as well (R49).
 */
export const hideSessionIds = (text: string): string =>
  hideApiKeys(text.includes(sessionIdPrefix) ? text.replace(sessionIds, pseudonymOf) : text)

export const newParticipantId = (): string => random('part_', 16)
/** R48: stands for somebody who was deleted, in what others did. */
export const newErasedId = (): string => random('erased_', 12)
export const newRoomId = (): string => random('room_', 16)
export const newExperimentId = (): string => random('exp_', 12)
export const newCredentialId = (): string => random('cred_', 16)
export const newCallId = (): string => random('call_', 16)
export const newPilotId = (): string => random('pilot_', 12)
export const newFileId = (): string => random('file_', 16)
export const newTableId = (): string => random('tbl_', 12)
export const newVideoId = (): string => random('vid_', 16)
export const newMediaId = (): string => random('med_', 16)
