import { declaredColumns } from '@atrium/contract'
import { createIsoTime } from '../../../kernel/iso-time.ts'
import type { ExportedSession, SessionPart, StoredEvent } from '../exports.store.ts'
import { flagsOf } from '../tables/event-rows.ts'
import { originOf } from '../tables/row.ts'
import { type CsvForm, csvHeader, csvJson, csvText, lineEnd } from './csv.ts'

const columns = declaredColumns('events')
export const eventCsvHeader = (form: CsvForm): string => csvHeader(columns, form)

/**
 * The same as rows of events through the encoder. By hand: there are millions of them, and to look for each cell in an
 * object and for its writer in a list took three times as long. `event-csv.test.ts` compares the two.
 */
export function eventCsvOf({ session, events }: SessionPart): string {
  const who = `${csvText(session.participantId)},${csvText(session.sessionId)}`
  const where = whereOf(session)
  const end = (session.isSynthetic ? ',true' : ',') + lineEnd
  const isoOf = createIsoTime()
  let lines = ''
  for (const event of events) lines += `${who},${happeningOf(event, isoOf)},${where},${recordOf(event)}${end}`
  return lines
}

const whereOf = ({ revision, roomId, stage, condition, role, alias, agent }: ExportedSession): string =>
  `${revision},${[roomId, stage, condition, role, alias, agent].map(csvText).join(',')}`

const happeningOf = (event: StoredEvent, isoOf: (ms: number) => string): string =>
  `${event.seq},${csvText(event.type)},${timesOf(event, isoOf)},${csvText(event.stateId)},${csvText(event.componentId)},${csvJson(event.data)},${csvText(event.eventId)}`

function timesOf(
  { serverTime, clientTime, clockOffsetMs, clockErrorMs }: StoredEvent,
  isoOf: (ms: number) => string,
): string {
  const server = isoOf(serverTime)
  const client = clientTime === null ? '' : isoOf(clientTime)
  return `${clientTime ?? ''},${server},${server},${client},${clockOffsetMs ?? ''},${clockErrorMs ?? ''}`
}

const recordOf = (event: StoredEvent): string =>
  `${event.round ?? ''},${event.visit ?? ''},"${originOf(event)}",${event.roomSeq ?? ''},${csvJson(flagsOf(event))},${csvJson(event.extra)}`
