import type { ExperimentDefinition, RoomAtMoment, RoomMoments } from '@atrium/contract'
import type { RoomState, Seat, StoredMessage } from '../model/room-state.ts'
import { snapshotFor } from '../model/view.ts'
import type { Recording } from '../replay/recording.ts'
import type { Replays } from '../replay/replays.ts'
import { reportRoom, reportSeats } from './report.ts'

/** A page of what has happened. */
export function reportMoments(
  { moments, last, isWhole }: Recording,
  { after, limit }: { after: number; limit: number },
): RoomMoments {
  const { roomId, experimentId, seats } = last.state
  const left = moments.slice(moments.findLastIndex(({ number }) => number <= after) + 1)
  const shown = left.slice(0, limit)
  return {
    roomId,
    experimentId,
    seats: seats.map(({ participantId, alias, role, agent }) => ({
      participantId,
      alias,
      role,
      isAgent: agent !== undefined,
    })),
    moments: shown,
    next: left.length > limit ? (shown.at(-1)?.number ?? null) : null,
    total: moments.length,
    isWhole,
  }
}

/** RM87 for what is shown: a longer value was sent by somebody who can send many of them. */
const longestValue = 8_192
const maxCharactersOfMessages = 131_072

interface ReplayViewer {
  participantId: string | undefined
  language: string
  /** In that language. */
  definition: ExperimentDefinition
}

/** The room at one moment: from above and, where somebody is named, as they saw it. */
export function reportMoment(
  { number, at, state, blueprint }: Awaited<ReturnType<Replays['at']>>,
  { participantId, language, definition }: ReplayViewer,
): RoomAtMoment {
  const { name, appearance } = definition
  const step = state.status.kind === 'ended' ? undefined : state.flow?.steps[state.flow.position]
  const reports = reportSeats(state, at, definition.agents)
  return {
    number,
    at,
    // A room of the past is held by nobody.
    room: { ...reportRoom(state, null, definition), resting: false },
    round: step?.round ?? null,
    rounds: step?.rounds ?? null,
    seats: state.seats.flatMap((seat, index) => {
      const report = reports[index]
      return report ? [{ ...report, answers: answersOf(seat) }] : []
    }),
    messages: messagesOf(state),
    view: state.seats.some((seat) => seat.participantId === participantId)
      ? snapshotFor(state, blueprint, participantId ?? '', at)
      : null,
    study: { name, language, accent: appearance?.accent ?? null, logo: appearance?.logo ?? null },
  }
}

const answersOf = ({ here }: Seat): RoomAtMoment['seats'][number]['answers'] =>
  Object.entries(here.answers).map(([componentId, { value }]) => {
    const { length } = JSON.stringify(value)
    return length > longestValue ? { componentId, value: null, length } : { componentId, value }
  })

function messagesOf({ messages, seats }: RoomState): RoomAtMoment['messages'] {
  const aliases = new Map(seats.map(({ participantId, alias }) => [participantId, alias]))
  let characters = 0
  const isTooMuch = ({ message }: StoredMessage): boolean => {
    characters += message.text.length
    return characters > maxCharactersOfMessages
  }
  return messages.slice(messages.findLastIndex(isTooMuch) + 1).map(({ message, to }) => ({
    ...message,
    to: to?.map((participantId) => aliases.get(participantId) ?? participantId) ?? null,
  }))
}
