import type { ExperimentDefinition, ExportedEvent, RoomReport, SeatReport } from '@atrium/contract'
import { type BotLog, participantIdOf, roomIdsOf } from '../bot-log.ts'

/** The result of a simulation: what the bots remember, and what the platform reports. */
export interface Evidence {
  definition: ExperimentDefinition
  logs: readonly Pick<BotLog, 'subject' | 'events'>[]
  /** The platform's own export, in its order. */
  exported: readonly Pick<
    ExportedEvent,
    | 'participantId'
    | 'sessionId'
    | 'seq'
    | 'type'
    | 'stage'
    | 'roomId'
    | 'stateId'
    | 'componentId'
    | 'round'
    | 'data'
  >[]
  rooms: readonly {
    report: Pick<RoomReport, 'roomId' | 'pacing' | 'status'>
    /** Of people; agents are left out. */
    seats: readonly Pick<SeatReport, 'participantId' | 'status' | 'outcome'>[]
  }[]
}

/** A rule that must hold for every simulation. Each breach is a sentence that says who and where. */
export interface Invariant {
  name: string
  breaches(evidence: Evidence): string[]
}

export type Log = Evidence['logs'][number]

/** R68: what a bot remembers of each stage; of a study without stages, everything. */
export function partsOf(log: Log): Log[] {
  const joined = log.events.filter(({ kind }) => kind === 'joined')
  const parts: Log['events'][number][][] = [[]]
  for (const event of log.events)
    if (event.kind === 'went_on') parts.push([...joined])
    else parts.at(-1)?.push(event)
  return parts.map((events) => ({ ...log, events }))
}

/** The bots that have a seat in a room, including those who never heard of it; with what they remember of that room. */
export function membersOf({ logs }: Evidence): (room: Evidence['rooms'][number]) => Log[] {
  const byParticipant = new Map(logs.map((log) => [participantIdOf(log), partsOf(log)]))
  return ({ report, seats }) =>
    seats.flatMap(({ participantId }) => {
      const parts = byParticipant.get(participantId) ?? []
      return parts.find((part) => roomIdsOf(part).includes(report.roomId)) ?? parts.at(-1) ?? []
    })
}

/** The lines of each bot in the export. */
export function exportedBy(evidence: Evidence): (log: Log) => Evidence['exported'] {
  const byParticipant = Map.groupBy(evidence.exported, ({ participantId }) => participantId)
  return (log) => byParticipant.get(participantIdOf(log) ?? '') ?? []
}

export const wasAway = ({ events }: Log): boolean => events.some(({ kind }) => kind === 'away')
