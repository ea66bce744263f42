import {
  type ExperimentDefinition,
  roleIdsOf,
  type SessionHistoryItem,
  type SessionStatus,
} from '@atrium/contract'
import { isOpenedBy, pseudonymOf } from '../../kernel/ids.ts'
import type { Identity } from '../identity/index.ts'
import type { HistoryEntry, SessionRecord } from './sessions.store.ts'

/** A session whose time is over counts as expired even before that is written down. */
export const statusAt = (session: Pick<SessionRecord, 'status' | 'expiresAt'>, now: number): SessionStatus =>
  session.status === 'active' && session.expiresAt <= now ? 'expired' : session.status

const versionNumber = /\d+(?:[._]\d+)*/g

/** R13: a browser that updates itself during a study is still the same browser. */
export const sameUserAgent = (one: string, other: string): boolean =>
  one === other || one.replace(versionNumber, '') === other.replace(versionNumber, '')

/** R48: long after its end, a session no longer knows where it came from. */
export const isForgotten = ({
  status,
  ipAddress,
  userAgent,
}: Pick<SessionRecord, 'status' | 'ipAddress' | 'userAgent'>): boolean =>
  status !== 'active' && ipAddress === '' && userAgent === ''

/** R13: whether a session can be used from there. */
export const isUsableFrom = (
  { ipAddress, userAgent }: Pick<SessionRecord, 'ipAddress' | 'userAgent'>,
  session: Pick<SessionRecord, 'status' | 'ipAddress' | 'userAgent'>,
  bindIp: boolean,
): boolean =>
  isForgotten(session) ||
  (sameUserAgent(userAgent, session.userAgent) && (!bindIp || ipAddress === session.ipAddress))

/** R38: whether they may take part. */
export const hasConsent = (session: Pick<SessionRecord, 'needsConsent' | 'consentedAt'>): boolean =>
  !session.needsConsent || session.consentedAt !== null

/** R17: until they are matched, participants are in the experiment's waiting room. */
export const roomIdOf = (session: Pick<SessionRecord, 'roomId' | 'experimentId'>): string =>
  session.roomId ?? `waiting_${session.experimentId}`

/** R53: the role that decides what a participant may see; null before there is a room, also if one was asked for. */
export const assignedRoleOf = (
  { role, roomId }: Pick<SessionRecord, 'role' | 'roomId'>,
  definition: ExperimentDefinition,
): string | null => (roomId !== null || roleIdsOf(definition).length === 0 ? role : null)

/** The language of the experiment that they read; undefined where it has only one, or not this one. */
export function languageOf({ metadata }: Pick<SessionRecord, 'metadata'>): string | undefined {
  const { language } = metadata
  return typeof language === 'string' ? language : undefined
}

/**
 * G12: whether somebody may learn of a session, and what it was given, such as its code. Anybody can say the external id of a
 * guest, so of guests only the device that opened the session may.
 */
export const mayUse = ({ guest }: Pick<Identity, 'guest'>, sessionId: string): boolean =>
  guest === undefined || isOpenedBy(guest.device, sessionId)

/**
 * G12: a guest is told of what their own device has done. The list of whoever only names an external id is empty, whether
 * or not somebody with that id has taken part. G13: guests have their session from the join.
 */
export const historyFor = (
  identity: Pick<Identity, 'guest'>,
  entries: readonly HistoryEntry[],
): HistoryEntry[] =>
  entries
    .filter(({ sessionId }) => mayUse(identity, sessionId))
    .map((entry) => (identity.guest ? { ...entry, sessionId: pseudonymOf(entry.sessionId) } : entry))

/** v3 shows no sessions: however often somebody has joined again, they took part once. Newest first, as given. */
export function participationsOf(entries: readonly HistoryEntry[]): Omit<SessionHistoryItem, 'sessionId'>[] {
  const byParticipant = Map.groupBy(entries, ({ participantId }) => participantId)
  return [...byParticipant.values()].flatMap((sessions) => {
    const [newest] = sessions
    if (!newest) return []
    const { participantId: _internal, sessionId: _hidden, ...item } = newest
    return [{ ...item, startedAt: sessions.at(-1)?.startedAt ?? item.startedAt }]
  })
}
