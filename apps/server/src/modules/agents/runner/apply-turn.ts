import type { AgentReply } from '@atrium/agent-protocol'
import { type AnswerSource, pacingOf, seededRandom } from '@atrium/contract'
import type { Clock } from '../../../kernel/clock.ts'
import type { AgentCall, AgentMove, AgentView, LiveRoom } from '../../rooms/index.ts'
import { addUses, useOf } from './call-use.ts'
import type { UnappliedUsage } from './unapplied-usage.ts'

export interface TurnDeps {
  clock: Clock
  unapplied: UnappliedUsage
  onCall(call: AgentCall): void
}

export interface Turn {
  room: LiveRoom
  roomId: string
  participantId: string
  turnId: string
  signal: AbortSignal
}

/** A message that is typed slowly still arrives before the state is over. */
const beforeDeadlineMs = 1_000
/** No time-out covers typing, so a long reply must not keep the room for minutes. */
const longestTypingMs = 20_000

/** When a person would have typed the reply. Nobody types at the same speed all the time, so a hidden agent does not either. */
export function typedAt(
  {
    persona,
    turn,
    deadlineAt,
    seed,
    isBlended,
  }: Pick<AgentView, 'persona' | 'turn' | 'deadlineAt' | 'seed' | 'isBlended'>,
  { message }: Pick<AgentReply, 'message'>,
): number {
  const typing = ((message?.text.length ?? 0) / pacingOf(persona).charactersPerSecond) * 1_000
  const pace = isBlended ? 0.7 + 0.6 * seededRandom(`${seed} ${turn.turnId} typing`)() : 1
  return Math.min(
    turn.dueAt + Math.round(Math.min(typing, longestTypingMs) * pace),
    (deadlineAt ?? Infinity) - beforeDeadlineMs,
  )
}

/** Applies a reply, or without one the fallback, together with the calls that led to it. */
export async function applyTurn(
  deps: TurnDeps,
  turn: Turn,
  view: AgentView,
  reply: AgentReply | null,
  calls: AgentCall[],
): Promise<void> {
  const { room, participantId, turnId } = turn
  const unapplied = deps.unapplied.of(turn)
  await room.dispatch(
    {
      type: 'agent_turn',
      participantId,
      turnId,
      seenMessages: view.seenMessages,
      used: addUses(useOf(calls), unapplied),
      ...(reply
        ? {
            moves: movesFor(view, reply),
            source: sourceOf(calls),
            ...(reply.action.name === 'wait' && { isWaiting: true as const }),
            ...(reply.reasoning && { note: reply.reasoning }),
          }
        : { moves: [], fallback: view.persona.fallback ?? 'skip' }),
    },
    undefined,
    calls,
  )
  deps.unapplied.settle(turn, unapplied)
  for (const call of calls) deps.onCall(call)
}

/** R88: the last call is the one that was applied. */
function sourceOf(calls: readonly AgentCall[]): AnswerSource {
  const call = calls.at(-1)
  if (!call || call.credentialId === null) return 'script'
  return call.attempt === 1 ? 'model' : 'retry'
}

/** What a person would do for this reply: write, fill in, and press the button where there is one. */
function movesFor({ moves }: AgentView, { action, message }: AgentReply): AgentMove[] {
  const said: AgentMove[] = message
    ? [{ type: 'send_message', componentId: message.chat, text: message.text }]
    : []
  const answers = action.name === 'answer' ? Object.entries(action.answers) : []
  const given = answers.map(
    ([componentId, value]): AgentMove => ({ type: 'submit_response', componentId, value }),
  )
  const continues = action.name !== 'wait' && moves.canContinue
  return [...said, ...given, ...(continues ? [{ type: 'ready' } as const] : [])]
}
