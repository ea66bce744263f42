import type { RoomActionName } from '@atrium/contract'

/** What a bot did and was told, in order. Nothing comes from the server's own records, which are checked against it. */
export type BotEvent = { at: number } & BotNews

export type BotNews =
  | { kind: 'joined'; sessionId: string; participantId: string }
  | { kind: 'waiting'; needed: number }
  | { kind: 'assigned'; roomId: string }
  /** The wait ended without a room; with a code when the platform has completed the session. */
  | { kind: 'wait_ended'; reason: string; completionCode: string | null }
  | { kind: 'entered'; roomId: string; stateId: string; visit: number; round: number | null }
  | {
      kind: 'sent'
      actionId: string
      action: RoomActionName
      stateId: string
      componentId: string | null
      /** The answer or the message; null if the action says nothing more. */
      content: unknown
    }
  | { kind: 'acknowledged'; actionId: string; seq: number }
  | { kind: 'refused'; actionId: string; code: string }
  /** The connection ended first, so it may or may not be stored. */
  | { kind: 'unanswered'; actionId: string }
  /** R68: done with one room, on the way to the next. */
  | { kind: 'went_on' }
  | { kind: 'away' }
  | { kind: 'back' }
  | { kind: 'finished'; outcome: string }
  | { kind: 'completed'; outcome: string; completionCode: string }
  /** The codes of this experiment in the participant's own history. */
  | { kind: 'history'; completionCodes: string[] }
  | { kind: 'failed'; message: string }

export interface BotLog {
  readonly subject: string
  readonly events: readonly BotEvent[]
  note(news: BotNews): void
}

export function createBotLog(subject: string, now: () => number = Date.now): BotLog {
  const events: BotEvent[] = []
  return { subject, events, note: (news) => void events.push({ at: now(), ...news }) }
}

/** An answer or message of which the bot knows that it is stored, and where the bot was when it sent it. */
export interface Said {
  stateId: string
  round: number | null
  componentId: string | null
  content: unknown
}

/** What the room took of one kind of action, in order. */
export function takenFrom({ events }: Pick<BotLog, 'events'>, action: RoomActionName): Said[] {
  const acknowledged = new Set(
    events.flatMap((event) => (event.kind === 'acknowledged' ? event.actionId : [])),
  )
  let round: number | null = null
  return events.flatMap((event): Said[] => {
    if (event.kind === 'entered') round = event.round
    if (event.kind !== 'sent' || event.action !== action || !acknowledged.has(event.actionId)) return []
    const { stateId, componentId, content } = event
    return [{ stateId, round, componentId, content }]
  })
}

export const eventsOf = <Kind extends BotNews['kind']>(
  { events }: Pick<BotLog, 'events'>,
  kind: Kind,
): Extract<BotEvent, { kind: Kind }>[] =>
  events.filter((event): event is Extract<BotEvent, { kind: Kind }> => event.kind === kind)

export const participantIdOf = (log: Pick<BotLog, 'events'>): string | undefined =>
  eventsOf(log, 'joined')[0]?.participantId

/** The rooms that the bot was assigned to or found itself in. */
export const roomIdsOf = (log: Pick<BotLog, 'events'>): string[] => [
  ...new Set([...eventsOf(log, 'assigned'), ...eventsOf(log, 'entered')].map(({ roomId }) => roomId)),
]
