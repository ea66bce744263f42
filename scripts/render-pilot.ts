import type { AgentTurnRecord, ExportedEvent, PilotSummary } from '../packages/contract/src/index.ts'

export type PlayedRoom = PilotSummary['rooms'][number] & {
  events: readonly ExportedEvent[]
  turns: readonly AgentTurnRecord[]
}

/** The ends of a room that has been played through. */
const finished = new Set(['finished', 'everyone_done'])
const hasFinished = ({ status, endReason }: PlayedRoom): boolean =>
  status === 'ended' && (endReason === null || finished.has(endReason))

/** What happened in each room, and in all of them. */
export function renderPilot(
  name: string,
  rooms: readonly PlayedRoom[],
): { text: string; isFinished: boolean } {
  const unfinished = rooms.filter((room) => !hasFinished(room)).length
  const turns = rooms.flatMap((room) => room.turns)
  const lines = [
    `${name}: ${counted(rooms.length, 'room')} played by agents`,
    ...rooms.flatMap(renderRoom),
    `In all: ${usage(turns)}`,
    ...errorsIn(turns),
    unfinished === 0 ? 'Every room has finished.' : `${unfinished} of ${rooms.length} rooms did not finish.`,
  ]
  return { text: lines.join('\n'), isFinished: unfinished === 0 }
}

function renderRoom(room: PlayedRoom): string[] {
  const end = hasFinished(room) ? 'finished' : `not finished (${room.endReason ?? room.status})`
  return [
    `  ${room.roomId}  ${end}`,
    `    states    ${pathOf(room).join(' → ') || 'none'}`,
    `    outcomes  ${tally(outcomesOf(room)) || 'none'}`,
    `    turns     ${usage(room.turns)}`,
  ]
}

/** In the order in which anyone entered them; rounds are not repeated. */
function pathOf({ events }: PlayedRoom): string[] {
  const entered = events.filter(({ type }) => type === 'state_transition')
  const inOrder = entered.toSorted((one, other) => (one.roomSeq ?? 0) - (other.roomSeq ?? 0))
  return [...new Set(inOrder.flatMap(({ stateId }) => stateId ?? []))]
}

const endings = new Set(['finished', 'left', 'removed'])
const outcomesOf = ({ events }: PlayedRoom): string[] =>
  events.flatMap(({ type, data }) => (endings.has(type) ? [String(data.outcome)] : []))

function usage(turns: readonly AgentTurnRecord[]): string {
  const tokens = turns.reduce(
    (sum, { usage }) => sum + (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0),
    0,
  )
  const money = turns.reduce((sum, one) => sum + one.money, 0)
  const outcomes = tally(turns.map(({ outcome }) => outcome)) || 'none'
  return `${outcomes}; ${counted(tokens, 'token')}; cost ${money.toFixed(4)}`
}

const maxErrors = 5

/** Each once, the most frequent first. */
function errorsIn(turns: readonly AgentTurnRecord[]): string[] {
  const errors = Map.groupBy(
    turns.flatMap(({ error, agentId }) => (error === null ? [] : [`${agentId}: ${error}`])),
    (text) => text,
  )
  return [...errors]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .slice(0, maxErrors)
    .map(([text, times]) => `  ${times.length} × ${text}`)
}

const tally = (names: readonly string[]): string =>
  [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${name} ${all.length}`).join(', ')

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
