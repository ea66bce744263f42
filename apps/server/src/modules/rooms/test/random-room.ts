import { createDraws } from '@atrium/bots'
import type { Agent, ExperimentDefinition } from '@atrium/contract'
import fc from 'fast-check'
import { agentsIn } from '../model/agents-in-room.ts'
import { type Blueprint, compileBlueprint } from '../model/blueprint.ts'
import { nextDeadline } from '../model/deadlines.ts'
import type { PlaybackPush } from '../model/playback.ts'
import type { RoomAction } from '../model/room-action.ts'
import type { Emitted } from '../model/room-audience.ts'
import type { RoomState } from '../model/room-state.ts'
import type { ParticipantRecord } from '../model/turn.ts'
import type { AgentSeat, Member } from '../rooms.store.ts'
import { emptyRoom } from '../rules/opening.ts'
import { reduceRoom } from '../rules/reduce-room.ts'
import { type AgentActs, randomActions, type TimedAction } from './random-actions.ts'
import { randomAgents, takenTurn } from './random-agents.ts'
import { randomDefinition, randomRoles } from './random-definition.ts'
import { randomAssignment } from './random-design.ts'
import { soundDefinition } from './sound-definition.ts'

export interface Scenario {
  definition: ExperimentDefinition
  members: Member[]
  agents: AgentSeat[]
  /** The agents in the room; a seat for one of them stays free when they are absent. */
  personas?: Agent[] | undefined
  actions: TimedAction[]
}

/** A room of up to four people with roles, often with agents. */
export const scenario: fc.Arbitrary<Scenario> = fc
  .array(fc.constantFrom(...randomRoles), { minLength: 1, maxLength: 4 })
  .chain((roles) =>
    fc.record({
      definition: randomDefinition(roles.length),
      members: fc.constant(roles.map((role, index) => ({ participantId: `p${index}`, role }))),
      agents:
        roles.length === 1
          ? fc.constant([])
          : fc.array(fc.record({ role: fc.constantFrom(...randomRoles) }), { maxLength: 1 }),
      personas: fc.option(randomAgents, { nil: undefined }),
      actions: randomActions(roles.length),
    }),
  )

/** What people, researchers and the network do, whatever the agents do. */
export const plainActions = ({ actions }: Scenario): RoomAction[] =>
  actions.flatMap(({ action }) => (action.type === 'agent_acts' ? [] : [action]))

function isSound(definition: ExperimentDefinition): boolean {
  try {
    soundDefinition(definition)
    return true
  } catch {
    return false
  }
}

interface Step {
  at: number
  action: RoomAction
  /** The room after it. */
  room: RoomState
  emitted: Emitted[]
  records: ParticipantRecord[]
  played: PlaybackPush[]
}

export interface Played {
  blueprint: Blueprint
  /** The applied actions; the rest was refused or repeated. */
  steps: Step[]
  room: RoomState
}

export const newRoom = (blueprint: Blueprint): RoomState =>
  emptyRoom({ roomId: 'room_1', experimentId: 'e', revision: 1, seed: 'seed', ordinal: 0 }, blueprint)

/** A room that has just been opened, and a clock. Invalid definitions are skipped. */
export function createPlay({ definition, members, agents, personas }: Scenario) {
  fc.pre(isSound(definition))
  const blueprint = compileBlueprint(definition)
  const played: Played = { blueprint, steps: [], room: newRoom(blueprint) }
  let now = 1_000_000
  let actionIds = 0
  /** Whether it was applied. */
  function apply(action: RoomAction): boolean {
    // Frozen, so that a rule that mutates its input throws.
    const reduction = reduceRoom(deepFreeze(played.room), action, now, blueprint)
    if (reduction.kind !== 'applied') return false
    const { room, emitted, records } = reduction
    played.room = room
    played.steps.push({ at: now, action, room, emitted, records, played: reduction.played })
    return true
  }
  const pilot = personas ? { personas } : {}
  const newRules = { countsAbsence: true, blendsAgents: true, finishesTurns: true } as const
  const assigned = randomAssignment({ definition, members })
  apply({ type: 'opened', members, agents, ...pilot, ...assigned, seed: 'seed', ordinal: 0, ...newRules })
  return {
    played,
    blueprint,
    apply,
    room: (): RoomState => played.room,
    now: (): number => now,
    passTo(at: number): void {
      now = Math.max(now, at)
    },
    newActionId: (): string => `own-${++actionIds}`,
  }
}

/** Applies all actions in order; with `toTheEnd`, only the clock continues after them. */
export function play(scenario: Scenario, toTheEnd = false): Played {
  const { apply, passTo, now, room, played, blueprint } = createPlay(scenario)
  const random = createDraws('play')('agents')
  const actionOf = (action: RoomAction | AgentActs): RoomAction | undefined => {
    if (action.type !== 'agent_acts') return action
    const waiting = agentsIn(room()).filter(({ agent }) => agent.pending)
    const one = waiting[action.pick % Math.max(1, waiting.length)]
    return one && takenTurn(room(), blueprint, one.participantId, action.how, random)
  }
  for (const { afterMs, action: given } of scenario.actions) {
    passTo(now() + afterMs)
    const action = actionOf(given)
    if (action) apply(action)
  }
  if (toTheEnd) {
    apply({ type: 'resume', by: 'test' })
    apply({ type: 'restored' })
    for (let due = nextDeadline(room()); due !== null; due = nextDeadline(room())) {
      passTo(due)
      apply({ type: 'tick' })
      const later = nextDeadline(room())
      // A deadline that stays due would keep a server busy forever.
      if (later !== null && later <= now()) throw new Error(`at ${now()} a tick left ${later} due`)
    }
  }
  return played
}

/** Bounds the memory of long runs; the first tier draws fewer. */
const maxKeptPlays = 500

/**
 * `play` that plays each scenario once. Properties that draw from `scenario` alone draw the same ones, because all begin
 * with the same seed, and playing them takes most of their time. The rooms must not be changed.
 */
export function createPlays(): typeof play {
  const known = new Map<string, Played>()
  return (scenario, toTheEnd = false) => {
    const key = JSON.stringify([scenario, toTheEnd])
    const played = known.get(key) ?? play(scenario, toTheEnd)
    if (known.size < maxKeptPlays) known.set(key, played)
    return played
  }
}

function deepFreeze<Thing>(thing: Thing): Thing {
  if (typeof thing !== 'object' || thing === null || Object.isFrozen(thing)) return thing
  Object.freeze(thing)
  for (const inner of Object.values(thing)) deepFreeze(inner)
  return thing
}
