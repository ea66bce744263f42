import type { StoredEvent } from '../exports.store.ts'
import { dataOf, markOf, numberIn, originOf, placeOf, rowPerEvent, textIn, whoAt, whoOf } from './row.ts'

/**
 * The events themselves, for CSV and Parquet. There are millions of them, and an object that is put together from others
 * costs several times as much as one that is written out.
 */
export const eventRows = () =>
  rowPerEvent(null, (event, session) => ({
    participantId: session.participantId,
    sessionId: session.sessionId,
    revision: session.revision,
    roomId: session.roomId,
    stage: session.stage,
    condition: session.condition,
    role: session.role,
    alias: session.alias,
    agent: session.agent,
    seq: event.seq,
    stateId: event.stateId,
    componentId: event.componentId,
    round: event.round,
    visit: event.visit,
    timestamp: event.clientTime,
    receivedAt: event.serverTime,
    serverTime: event.serverTime,
    clientTime: event.clientTime,
    clockOffsetMs: event.clockOffsetMs,
    clockErrorMs: event.clockErrorMs,
    roomSeq: event.roomSeq,
    type: event.type,
    eventId: event.eventId,
    origin: originOf(event),
    flags: flagsOf(event),
    data: event.data,
    extra: event.extra,
    synthetic: session.isSynthetic || undefined,
  }))

export const flagsOf = ({ flags }: StoredEvent): string => (flags.length === 0 ? '[]' : JSON.stringify(flags))

/** Only what the room has passed on: a page may send an event of this name too. */
export const messageRows = () =>
  rowPerEvent(['chat_message'], (event, session) => {
    if (originOf(event) === 'client') return undefined
    const { messageId, text } = dataOf(event)
    return {
      ...whoAt(event, session),
      ...placeOf(event),
      messageId: textIn(messageId),
      text: textIn(text) ?? '',
      ...markOf(session),
    }
  })

/** Only what came over `/sync`: a page may send an event of this name too. */
export const playbackRows = () =>
  rowPerEvent(['sync_report'], (event, session) => {
    if (originOf(event) === 'client') return undefined
    const { driftMs, rttMs, positionMs } = dataOf(event)
    return {
      ...whoOf(session),
      ...placeOf(event),
      driftMs: numberIn(driftMs),
      rttMs: numberIn(rttMs),
      positionMs: numberIn(positionMs),
      ...markOf(session),
    }
  })
