import { AnswerParadata, type AnswerSource, answerSources, type ExperimentDefinition } from '@atrium/contract'
import { Compile } from 'typebox/compile'
import type { ExportedSession, ExportStore, SentAnswer, StoredEvent } from '../exports.store.ts'
import {
  dataOf,
  jsonOf,
  markOf,
  numberIn,
  originOf,
  placeOf,
  type Row,
  type TableRows,
  textIn,
  whoAt,
} from './row.ts'
import { skipped, skippedRows } from './skipped-rows.ts'

const missing = 'answers_missing'
const answerParadata = Compile(AnswerParadata)

/** Answers, and what was asked and not answered. */
export function responseRows(
  store: Pick<ExportStore, 'sentAnswers'>,
  definitionOf: (revision: number) => Promise<ExperimentDefinition>,
): TableRows {
  async function rowsFor(event: StoredEvent, session: ExportedSession, sent: ReadonlySet<string>) {
    if (event.type === skipped) return skippedRows(event, session, await definitionOf(session.revision))
    return event.type === missing ? missingRows(event, session, sent) : answerRows(event, session)
  }
  return {
    types: ['component_response', missing, skipped],
    async rowsOf(parts) {
      const people = new Set(
        parts.flatMap(({ session, events }) =>
          session.agent === null && events.some(({ type }) => type === missing) ? session.participantId : [],
        ),
      )
      const sent = new Set((await store.sentAnswers([...people])).map(keyOf))
      const rows: Row[] = []
      for (const { session, events } of parts)
        for (const event of events) rows.push(...(await rowsFor(event, session, sent)))
      return rows
    },
  }
}

const keyOf = ({
  participantId,
  stateId,
  visit,
  componentId,
}: { [Name in keyof SentAnswer]: SentAnswer[Name] | null }): string =>
  JSON.stringify([participantId, stateId, visit, componentId])

/** R62: where a component asks about each of the others, a row for each of them. */
function answerRows(event: StoredEvent, session: ExportedSession): Row[] {
  const row = answerRow(event, session)
  const { value, targets } = dataOf(event)
  if (originOf(event) === 'client' || !Array.isArray(targets)) return [row]
  const answers = new Map(Object.entries(Object(value)))
  return targets.map((target) => {
    const answer = answers.get(target)
    return {
      ...row,
      target: textIn(target),
      value: jsonOf(answer),
      valueNumber: numberIn(answer),
      valueText: textIn(answer),
      ...(answers.has(target) ? {} : { missing: 'skipped' }),
    }
  })
}

function answerRow(event: StoredEvent, session: ExportedSession): Row {
  const { value, responseTime, firstInteractionMs, changes, paradata, answerSource, score, result } =
    dataOf(event)
  return {
    ...whoAt(event, session),
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
}

/** R93: only what the columns allow; pages of others may have sent anything under this name. */
const paradataIn = (sent: unknown) => (answerParadata.Check(sent) ? sent : {})

/** What a page sends is a person's, whatever it says. */
function sourceOf(event: StoredEvent, { agent }: ExportedSession, recorded: unknown): AnswerSource | null {
  if (agent === null) return 'person'
  return (originOf(event) === 'room' && answerSources.find((one) => one === recorded)) || null
}

/**
 * R91: a row for each answer that was not given. Only what the room says: a page may send an event of this name too. The room
 * does not know what a page has sent over HTTP.
 */
function missingRows(event: StoredEvent, session: ExportedSession, sent: ReadonlySet<string>): Row[] {
  const { components } = dataOf(event)
  if (originOf(event) === 'client' || !Array.isArray(components)) return []
  const { participantId } = session
  const { stateId, visit } = event
  return components
    .flatMap(({ componentId, reason, targets }) =>
      (Array.isArray(targets) ? targets : [null]).map((target) => ({
        componentId: textIn(componentId),
        reason,
        target: textIn(target),
      })),
    )
    .filter(({ componentId }) => !sent.has(keyOf({ participantId, stateId, visit, componentId })))
    .map(({ componentId, reason, target }) => ({
      ...whoAt(event, session),
      ...placeOf(event),
      componentId,
      target,
      missing: textIn(reason),
      origin: originOf(event),
      flags: '[]',
      ...markOf(session),
    }))
}
