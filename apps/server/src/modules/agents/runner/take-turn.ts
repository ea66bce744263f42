import type { AgentOutcome } from '@atrium/contract'
import { AppError } from '../../../kernel/app-error.ts'
import { type AgentCall, type AgentView, isBudgetSpent, turnIsOver } from '../../rooms/index.ts'
import { applyTurn, type Turn, type TurnDeps, typedAt } from './apply-turn.ts'
import { type Asked, unasked } from './ask-agent.ts'
import { type AskDeps, askWithinLimits } from './ask-within-limits.ts'
import { addUses, type OpenCall, useOf } from './call-use.ts'
import { pause } from './pause.ts'
import type { TurnSpending } from './spending.ts'

export interface TakeTurnDeps extends TurnDeps, AskDeps {
  openSpending(view: AgentView): TurnSpending
  /** Stores calls that led to no action of the room. Never rejects. */
  record(calls: AgentCall[]): Promise<void>
}

const maxAttempts = 2
const movedOn = 'The room had moved on before there was a reply.'

/**
 * R44: asks the agent for its pending turn and applies what it replies. An invalid reply is explained to it once; after
 * that, and whenever it cannot be asked, its fallback applies. All attempts together take no longer than the time-out of
 * the credential, so that a room is never kept waiting by a model.
 */
export async function takeTurn(deps: TakeTurnDeps, turn: Turn): Promise<void> {
  const view = turn.room.agentView(turn.participantId)
  if (view?.turn.turnId !== turn.turnId) return
  const spending = deps.openSpending(view)
  try {
    const unused = await playTurn(deps, turn, view, spending)
    if (unused.length === 0) return spending.close()
    deps.unapplied.add(turn, useOf(unused))
    // R45. Nobody waits for this: the next turn of the agent may be due.
    void deps.record(unused).then(() => spending.close())
  } catch (error) {
    spending.close()
    throw error
  }
}

/** Returns the calls that led to no action, because the room moved on or is held elsewhere. */
async function playTurn(
  deps: TakeTurnDeps,
  turn: Turn,
  view: AgentView,
  spending: TurnSpending,
): Promise<AgentCall[]> {
  const done: AgentCall[] = []
  const end = async (call: OpenCall, outcome: AgentOutcome, error: string): Promise<AgentCall[]> => {
    await applyTurn(deps, turn, view, null, [...done, { ...call, outcome, error }])
    return []
  }
  const startedAt = deps.clock.now()
  let error: string | undefined
  for (let attempt = 1; ; attempt++) {
    const { roomId, participantId } = turn
    const asking = { view, roomId, participantId, attempt, ...(error === undefined ? {} : { error }) }
    const used = addUses(view.used, deps.unapplied.of(turn), useOf(done))
    if (isBudgetSpent(used, view.persona) || !(await spending.mayAsk()))
      return await end(unasked(asking, deps.clock.now()), 'budget', 'The budget of this agent is spent.')
    const asked = await askWithinLimits(deps, asking, startedAt, turn.signal)
    spending.made(useOf([asked.call]))
    if (asked.kind === 'cut_off')
      return [...done, { ...asked.call, outcome: 'refused' as const, error: movedOn }].filter(wasMade)
    if (asked.kind === 'unreachable') return await end(asked.call, 'fallback', asked.message)
    if (asked.kind === 'replied') {
      const applied = await applyReply(deps, turn, view, asked, done)
      if (applied.kind === 'applied') return []
      if (applied.kind === 'too_late')
        return [...done, { ...asked.call, outcome: 'refused', error: applied.message }]
      error = applied.message
    } else error = asked.message
    if (asked.kind === 'failed' && asked.isTimeout) return await end(asked.call, 'timeout', error)
    if (attempt === maxAttempts) return await end(asked.call, 'fallback', error)
    done.push({ ...asked.call, outcome: 'retried', error })
  }
}

const wasMade = ({ latencyMs }: AgentCall): boolean => latencyMs !== null

type Applied = { kind: 'applied' } | { kind: 'invalid' | 'too_late'; message: string }

const refusals = new Set(['VALIDATION_FAILED', 'ACTION_REFUSED', 'NOT_SHOWN'])

/** Applies a reply when a person would have typed it. */
async function applyReply(
  deps: TakeTurnDeps,
  turn: Turn,
  view: AgentView,
  { reply, call }: Extract<Asked, { kind: 'replied' }>,
  done: readonly AgentCall[],
): Promise<Applied> {
  try {
    await pause(typedAt(view, reply) - deps.clock.now(), turn.signal)
  } catch {
    // It rejects only when the turn is cancelled.
    return { kind: 'too_late', message: movedOn }
  }
  try {
    await applyTurn(deps, turn, view, reply, [...done, { ...call, outcome: 'applied', error: null }])
    return { kind: 'applied' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // What the room is seen to be may be older than what has refused this.
    const isPending =
      error.message !== turnIsOver && turn.room.agentView(turn.participantId)?.turn.turnId === turn.turnId
    const isInvalid = refusals.has(error.code) && isPending
    return { kind: isInvalid ? 'invalid' : 'too_late', message: error.message }
  }
}
