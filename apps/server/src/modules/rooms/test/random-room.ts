import type { ExperimentDefinition } from '@atrium/contract'
import fc from 'fast-check'
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
import { randomActions, type TimedAction } from './random-actions.ts'
import { randomDefinition, randomRoles } from './random-definition.ts'
import { soundDefinition } from './sound-definition.ts'

export interface Scenario {
  definition: ExperimentDefinition
  members: Member[]
  agents: AgentSeat[]
  actions: TimedAction[]
}

/** A room of up to four people with roles, sometimes with an agent. */
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
      actions: randomActions(roles.length),
    }),
  )

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

/**
 * Applies all actions in order; with `toTheEnd`, only the clock continues after them. Invalid definitions are skipped.
 */
export function play({ definition, members, agents, actions }: Scenario, toTheEnd = false): Played {
  fc.pre(isSound(definition))
  const blueprint = compileBlueprint(definition)
  const played: Played = { blueprint, steps: [], room: newRoom(blueprint) }
  let now = 1_000_000
  const apply = (action: RoomAction) => {
    // Frozen, so that a rule that mutates its input throws.
    const reduction = reduceRoom(deepFreeze(played.room), action, now, blueprint)
    if (reduction.kind !== 'applied') return
    const { room, emitted, records } = reduction
    played.room = room
    played.steps.push({ at: now, action, room, emitted, records, played: reduction.played })
  }
  apply({ type: 'opened', members, agents, seed: 'seed', ordinal: 0, countsAbsence: true })
  for (const { afterMs, action } of actions) {
    now += afterMs
    apply(action)
  }
  if (toTheEnd) {
    apply({ type: 'resume', by: 'test' })
    apply({ type: 'restored' })
    for (let due = nextDeadline(played.room); due !== null; due = nextDeadline(played.room)) {
      now = Math.max(now, due)
      apply({ type: 'tick' })
      const later = nextDeadline(played.room)
      // A deadline that stays due would keep a server busy forever.
      if (later !== null && later <= now) throw new Error(`at ${now} a tick left ${later} due`)
    }
  }
  return played
}

function deepFreeze<Thing>(thing: Thing): Thing {
  if (typeof thing !== 'object' || thing === null || Object.isFrozen(thing)) return thing
  Object.freeze(thing)
  for (const inner of Object.values(thing)) deepFreeze(inner)
  return thing
}
