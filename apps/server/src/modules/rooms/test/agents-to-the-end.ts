import { createDraws } from '@atrium/bots'
import type { Agent } from '@atrium/contract'
import fc from 'fast-check'
import { agentsIn } from '../model/agents-in-room.ts'
import { nextDeadline } from '../model/deadlines.ts'
import type { RoomAction } from '../model/room-action.ts'
import { isActive } from '../model/room-state.ts'
import { flowOf, stateOf, visibleComponents } from '../model/visible-components.ts'
import { fittingAnswer } from './random-actions.ts'
import { type Behaviour, behaviours, randomAgents, takenTurn } from './random-agents.ts'
import { randomDefinition, randomRoles } from './random-definition.ts'
import { createPlay, type Played, type Scenario } from './random-room.ts'

export interface AgentScenario extends Scenario {
  personas: Agent[]
  /** People who never come. */
  absent: string[]
  behaviour: Behaviour | 'any'
  seed: string
}

/** A room of up to three people, some of whom may not come, with agents; or of agents alone. */
export const agentScenario: fc.Arbitrary<AgentScenario> = fc
  .array(fc.constantFrom(...randomRoles), { maxLength: 3 })
  .chain((roles) =>
    fc.record({
      definition: randomDefinition(roles.length),
      members: fc.constant(roles.map((role, index) => ({ participantId: `p${index}`, role }))),
      absent: fc.subarray(roles.map((_, index) => `p${index}`)),
      agents: fc.array(fc.record({ role: fc.constantFrom(...randomRoles) }), { maxLength: 1 }),
      personas: randomAgents,
      actions: fc.constant([]),
      behaviour: fc.constantFrom('any' as const, ...behaviours),
      seed: fc.string(),
    }),
  )

/** Far more than any of these rooms takes. */
const maxSteps = 5_000
/** How long people take for what they could not do at once, such as reading a text. */
const thoughtMs = 1_100

/**
 * Plays a room to its end: people who are there do everything they can, agents do as their behaviour says when they are
 * due, and the clock does the rest. Throws when nothing is left that could move the room.
 */
export function playToTheEnd(scenario: AgentScenario): Played {
  const { members, absent, behaviour, seed } = scenario
  const play = createPlay(scenario)
  const random = createDraws(seed)('agents')
  const present = members.map(({ participantId }) => participantId).filter((id) => !absent.includes(id))
  for (const participantId of present) play.apply({ type: 'connected', participantId })
  for (let step = 0, thoughts = 0; play.room().status.kind !== 'ended'; step += 1) {
    if (step > maxSteps) throw new Error('the room goes on and on')
    if (doEverything(play, present)) thoughts = 0
    if (play.room().status.kind === 'ended') break
    const deadline = nextDeadline(play.room()) ?? Infinity
    const [first] = agentsIn(play.room())
      .flatMap(({ participantId, agent }) => (agent.pending ? [{ participantId, ...agent.pending }] : []))
      .sort((one, other) => one.dueAt - other.dueAt)
    const due = Math.min(deadline, first?.dueAt ?? Infinity)
    if (due === Infinity) {
      if (thoughts > 3) throw new Error(`nothing moves the room any more: ${JSON.stringify(play.room())}`)
      thoughts += 1
      play.passTo(play.now() + thoughtMs)
    } else {
      play.passTo(due)
      if (first && first.dueAt <= deadline) takeTurn(first.participantId)
      else play.apply({ type: 'tick' })
    }
  }
  return play.played

  function takeTurn(participantId: string): void {
    const drawn = behaviours[Math.floor(random() * behaviours.length)] ?? 'reply'
    for (const how of [behaviour === 'any' ? drawn : behaviour, 'fallback'] as const) {
      const action = takenTurn(play.room(), play.blueprint, participantId, how, random)
      if (!action) return
      const isApplied = play.apply(action)
      if (isApplied === (how === 'rubbish' || how === 'late'))
        throw new Error(`a turn (${how}) was ${isApplied ? '' : 'not '}applied: ${JSON.stringify(action)}`)
      // What is refused leads to the fallback, as in the runner.
      if (isApplied) return
    }
  }
}

/** Whether anything of it was accepted. */
function doEverything(play: ReturnType<typeof createPlay>, people: readonly string[]): boolean {
  let number = 0
  const act = (action: RoomAction): void => {
    if (play.apply(action)) number += 1
  }
  for (const participantId of people) {
    const seat = play.room().seats.find((one) => one.participantId === participantId)
    const state = seat && stateOf(play.blueprint, flowOf(play.room(), seat))
    if (!seat || !state || !isActive(seat) || seat.here.ready) continue
    const isNew = ({ component }: { component: { id: string } }) =>
      !Object.hasOwn(seat.here.answers, component.id)
    for (const { component } of visibleComponents(play.blueprint, seat, state).filter(isNew))
      if (fittingAnswer(component.id) !== undefined)
        act({
          type: 'submit_response',
          participantId,
          actionId: play.newActionId(),
          componentId: component.id,
          value: fittingAnswer(component.id),
        })
    act({ type: 'ready', participantId, actionId: play.newActionId() })
  }
  return number > 0
}
