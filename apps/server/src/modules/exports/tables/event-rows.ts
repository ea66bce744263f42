import { AnswerParadata, type AnswerSource, answerSources } from '@atrium/contract'
import { Compile } from 'typebox/compile'
import type { ExportedSession, StoredEvent } from '../exports.store.ts'
import {
  dataOf,
  jsonOf,
  markOf,
  numberIn,
  originOf,
  placeOf,
  type Row,
  rowPerEvent,
  textIn,
  whoOf,
} from './row.ts'

const answerParadata = Compile(AnswerParadata)

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

export const responseRows = () =>
  rowPerEvent(['component_response', 'answers_missing'], (event, session) => {
    if (event.type === 'answers_missing') return missingRows(event, session)
    const { value, responseTime, firstInteractionMs, changes, paradata, answerSource, score, result } =
      dataOf(event)
    return {
      ...whoOf(session),
      ...placeOf(event),
      value: jsonOf(value),
      valueNumber: numberIn(value),
      valueText: textIn(value),
      responseTimeMs: numberIn(responseTime),
      firstInteractionMs: numberIn(firstInteractionMs),
      changes: numberIn(changes),
      ...paradataIn(paradata),
      answerSource: sourceOf(event, session, answerSource),
      score: numberIn(score),
      result: jsonOf(result),
      language: session.language,
      origin: originOf(event),
      flags: JSON.stringify(event.flags),
      ...markOf(session),
    }
  })

/** R93: only what the columns allow; pages of others may have sent anything under this name. */
const paradataIn = (sent: unknown) => (answerParadata.Check(sent) ? sent : {})

/** What a page sends is a person's, whatever it says. */
function sourceOf(event: StoredEvent, { agent }: ExportedSession, recorded: unknown): AnswerSource | null {
  if (agent === null) return 'person'
  return (originOf(event) === 'room' && answerSources.find((one) => one === recorded)) || null
}

/** R91: a row for each answer that was not given. Only what the room says: a page may send an event of this name too. */
function missingRows(event: StoredEvent, session: ExportedSession): Row[] {
  const { components } = dataOf(event)
  if (originOf(event) === 'client' || !Array.isArray(components)) return []
  return components.map(({ componentId, reason }) => ({
    ...whoOf(session),
    ...placeOf(event),
    componentId: textIn(componentId),
    missing: textIn(reason),
    origin: originOf(event),
    flags: '[]',
    ...markOf(session),
  }))
}

/** Only what the room has passed on: a page may send an event of this name too. */
export const messageRows = () =>
  rowPerEvent(['chat_message'], (event, session) => {
    if (originOf(event) === 'client') return undefined
    const { messageId, text } = dataOf(event)
    return {
      ...whoOf(session),
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
