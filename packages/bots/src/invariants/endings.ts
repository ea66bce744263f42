import { completionFor, outcomesIn } from '@atrium/contract'
import { eventsOf } from '../bot-log.ts'
import { type Evidence, exportedBy, type Invariant, type Log, membersOf, wasAway } from './evidence.ts'

export const everyoneComesToAnEnd: Invariant = {
  name: 'everyone who did not drop out comes to an end',
  breaches: ({ logs }) =>
    logs.flatMap((log) => {
      const [failure] = eventsOf(log, 'failed')
      if (failure) return [`${log.subject}: ${failure.message}`]
      const last = log.events.at(-1)?.kind
      return last === 'history' || last === 'away' ? [] : [`${log.subject} stopped after ‘${last}’`]
    }),
}

export const oneCompletion: Invariant = {
  name: 'each participant has at most one completion and one code, the one of their outcome',
  breaches: ({ logs, definition }) =>
    logs.flatMap((log) => {
      const completed = eventsOf(log, 'completed')
      const paid = eventsOf(log, 'wait_ended').flatMap(({ completionCode }) => completionCode ?? [])
      const codes = [...completed.map(({ completionCode }) => completionCode), ...paid]
      const wrong = completed.find(
        ({ outcome, completionCode }) =>
          completionFor(definition, { outcome, participantId: log.subject, metadata: {} }).completionCode !==
          completionCode,
      )
      const [history] = eventsOf(log, 'history')
      const inHistory = history?.completionCodes ?? codes
      return [
        ...(codes.length > 1 ? [`${log.subject} was given ${codes.join(' and ')}`] : []),
        ...(wrong ? [`${log.subject} was given ${wrong.completionCode} for ${wrong.outcome}`] : []),
        ...(inHistory.join() === codes.join()
          ? []
          : [`${log.subject} has ${inHistory.join() || 'nothing'} in their history, not ${codes.join()}`]),
      ]
    }),
}

/** Bots agree to everything and do what they are asked, so any other ending needs a reason. */
export const whoFinishesSucceeds: Invariant = {
  name: 'who plays to the end has SUCCESS, or what the flow names there',
  breaches(evidence) {
    const linesOf = exportedBy(evidence)
    const members = membersOf(evidence)
    const named = new Set(outcomesIn(evidence.definition))
    return evidence.rooms.flatMap((room) =>
      members(room).flatMap((log) =>
        eventsOf(log, 'finished')
          .filter(({ outcome }) => !isDeserved(outcome, log, members(room), linesOf(log)))
          .filter(({ outcome }) => !named.has(outcome))
          .map(({ outcome }) => `${log.subject} ended with ${outcome} in ${room.report.roomId}`),
      ),
    )
  },
}

function isDeserved(
  outcome: string,
  log: Log,
  members: readonly Log[],
  lines: Evidence['exported'],
): boolean {
  switch (outcome) {
    case 'SUCCESS':
      return true
    case 'ABANDONED':
      return wasAway(log)
    case 'PARTNER_LEFT':
      return members.some(wasAway)
    case 'SCREENED_OUT':
      return lines.some(({ data }) => hasFailed(data.result) || hasMissed(data.value))
    default:
      return false
  }
}

const hasFailed = (result: unknown): boolean =>
  typeof result === 'object' &&
  result !== null &&
  'passed' in result &&
  'attemptsLeft' in result &&
  !result.passed &&
  result.attemptsLeft === 0

/** An attention check says so in what is stored of the answer; the page is told nothing. */
const hasMissed = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'passed' in value && value.passed === false
