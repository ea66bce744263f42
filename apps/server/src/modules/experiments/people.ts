import type { PersonPage, PersonStep, PersonTimeline } from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { ExperimentStore, PeopleListing, PersonEvent, PersonRecord } from './experiments.store.ts'
import { readPlace, writePlace } from './recruits.ts'

export type PeopleQuery = Omit<PeopleListing, 'experimentId' | 'after'> & { after: string | null }

export async function listPeople(
  store: Pick<ExperimentStore, 'people'>,
  experimentId: string,
  query: PeopleQuery,
): Promise<PersonPage> {
  const { limit, after } = query
  // One more than requested shows whether there is another page.
  const found = await store.people({
    ...query,
    experimentId,
    after: after === null ? null : readPlace(after),
    limit: limit + 1,
  })
  const participants = found.slice(0, limit)
  const last = participants.at(-1)
  return { participants, next: last && found.length > limit ? writePlace(last) : null }
}

const maxEvents = 500

export async function readTimeline(
  store: Pick<ExperimentStore, 'person'>,
  experimentId: string,
  participantId: string,
): Promise<PersonTimeline> {
  const record = await store.person(experimentId, participantId, maxEvents + 1)
  if (!record) throw new AppError('NOT_FOUND', {}, 'There is no such participant.')
  const { person, eventCount, events } = record
  return {
    person,
    steps: stepsOf({ ...record, events: events.slice(0, maxEvents) }),
    isComplete: events.length <= maxEvents,
    events: eventCount,
  }
}

const noStep = { stateId: null, componentId: null, round: null, value: null, durationMs: null }

function stepsOf({ person, rooms, events }: PersonRecord): PersonStep[] {
  const { joinedAt, completedAt, outcome } = person
  // D5: what the room recorded counts before what a page sent.
  const isRecorded = events.some(({ roomSeq, type }) => roomSeq !== null && type === 'state_transition')
  const steps = events.flatMap((event) =>
    isRecorded && event.roomSeq === null && !event.type.startsWith('consent_') ? [] : stepOf(event),
  )
  const before: PersonStep[] = [
    { ...noStep, at: joinedAt, kind: 'joined' },
    ...rooms.map(({ at, since }) => roomStep(at, at - since)),
  ]
  const after: PersonStep[] =
    completedAt === null ? [] : [{ ...noStep, at: completedAt, kind: 'completed', value: outcome }]
  // Sorting leaves what happened at the same time in this order.
  return [...before, ...steps, ...after].toSorted((one, other) => one.at - other.at)
}

/** Less than this is the time that the server takes. */
const noticeableMs = 1_000

const roomStep = (at: number, waitedMs: number): PersonStep =>
  waitedMs < noticeableMs
    ? { ...noStep, at, kind: 'matched' }
    : { ...noStep, at, kind: 'waited', durationMs: waitedMs }

function stepOf(event: PersonEvent): PersonStep[] {
  const data: Record<string, unknown> = JSON.parse(event.data)
  const { at, stateId, componentId, round } = event
  const step = { ...noStep, at, stateId, componentId, round }
  switch (event.type) {
    case 'consent_given':
      return [{ ...step, kind: 'consented' }]
    case 'consent_declined':
      return [{ ...step, kind: 'declined' }]
    case 'state_transition':
      return [{ ...step, kind: 'entered', stateId: textIn(data.toState) ?? stateId }]
    case 'component_response':
      return [
        { ...step, kind: 'answered', value: data.value ?? null, durationMs: numberIn(data.responseTime) },
      ]
    case 'chat_message':
      return [{ ...step, kind: 'wrote', value: data.text ?? null }]
    case 'stage_finished':
      return [{ ...step, kind: 'went_on', stateId: textIn(data.fromState), value: textIn(data.stage) }]
    case 'dropped':
      return [{ ...step, kind: 'dropped' }]
    default:
      return event.roomSeq === null
        ? []
        : [
            {
              ...step,
              kind: event.visit === null && data.endedIn === undefined ? 'ended' : 'stopped',
              stateId: textIn(data.fromState),
              value: data.outcome ?? null,
            },
          ]
  }
}

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const numberIn = (value: unknown): number | null => (typeof value === 'number' ? value : null)
