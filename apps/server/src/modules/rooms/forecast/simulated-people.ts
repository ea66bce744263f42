import { drawAnswer } from '@atrium/agent-protocol'
import { type Random, seededRandom } from '@atrium/contract'
import { evaluateResponse } from '@atrium/contract/components'
import type { Blueprint } from '../model/blueprint.ts'
import type { ComponentBlueprint } from '../model/component-blueprint.ts'
import { nextDeadline } from '../model/deadlines.ts'
import type { RoomAction } from '../model/room-action.ts'
import { entryOf, isActive, type RoomState, type Seat } from '../model/room-state.ts'
import { createShownTo } from '../model/shown.ts'
import { workFor } from '../model/turn.ts'
import { flowOf, seesState, stateOf, visibleComponents } from '../model/visible-components.ts'
import { reduceRoom } from '../rules/reduce-room.ts'

/** What playing may still cost, in seats that an action looks at. Shared by all rooms of a forecast. */
export interface PlayBudget {
  left: number
}

/** Besides what it costs for each seat. Measured: 100 µs, and 1.5 µs more for each seat. */
const costOfAction = 20

/** A check of understanding has a few questions with a few options; guessing finds the answers in time. */
const maxDraws = 40
/** Nobody does anything, and no clock runs: after this a researcher would go on. */
const idleMs = 5 * 60_000
const maxIdle = 2

/** Plays a room that has been opened to its end. Everybody answers at random, and nobody leaves. Null when the budget is spent. */
export function playToTheEnd(opened: RoomState, blueprint: Blueprint, budget: PlayBudget): RoomState | null {
  let room = opened
  let now = 0
  let idle = 0

  function dispatch(action: RoomAction): boolean {
    if (budget.left <= 0) return false
    budget.left -= costOfAction + room.seats.length
    const reduction = reduceRoom(room, action, now, blueprint)
    if (reduction.kind === 'applied') room = reduction.room
    return reduction.kind === 'applied'
  }

  while (room.status.kind !== 'ended') {
    if (budget.left <= 0) return null
    let hasActed = false
    for (const { participantId } of room.seats)
      for (const action of actionsOf(room, blueprint, participantId, now))
        hasActed = dispatch(action) || hasActed
    if (hasActed) {
      idle = 0
      continue
    }
    const due = nextDeadline(room)
    const isWaiting = due !== null && due > now
    now = isWaiting ? due : now + idleMs
    dispatch({ type: 'tick' })
    idle = isWaiting ? 0 : idle + 1
    if (idle > maxIdle) dispatch({ type: 'advance', by: 'forecast' })
  }
  return room
}

/** What one of them does now: answers everything that is asked, then goes on. */
function* actionsOf(
  room: RoomState,
  blueprint: Blueprint,
  participantId: string,
  now: number,
): Generator<RoomAction> {
  const seat = room.seats.find((one) => one.participantId === participantId)
  const flow = seat && flowOf(room, seat)
  const state = stateOf(blueprint, flow ?? null)
  if (!seat || !flow || !state || !isActive(seat) || !seesState(seat, state)) return
  const { visit } = flow
  const { id: stateId } = state.state
  const random = seededRandom(`${room.seed} ${seat.alias} ${visit}`)
  // RM195, RM196: their settings, and whom they ask about, are known in the room only.
  const shown = createShownTo(room, blueprint, seat, workFor(0))
  for (const component of visibleComponents(blueprint, seat, state)) {
    const value = answerTo(shown.settled(component), seat, random, now - flow.enteredAt)
    const { id: componentId } = component.component
    const actionId = `${visit} ${componentId}`
    if (value !== undefined)
      yield { type: 'submit_response', participantId, actionId, stateId, visit, componentId, value }
  }
  if ((state.state.end?.on ?? 'button') === 'button' && !seat.here.ready)
    yield { type: 'ready', participantId, actionId: `${visit} ready`, stateId, visit }
}

/** An answer that is taken and ends nobody’s part; undefined where there is none, or nothing to answer. */
function answerTo(
  { component, type, view, issues }: ComponentBlueprint,
  seat: Seat,
  random: Random,
  elapsedMs: number,
): unknown {
  const given = entryOf(seat.here.answers, component.id)
  if (type.responds === 'none' || given?.isFinal) return undefined
  const attempt = (given?.attempts ?? 0) + 1
  for (let draw = 0; draw < maxDraws; draw++) {
    const value = drawAnswer(view, random)
    if (value === undefined) return undefined
    if (issues(value).length > 0) continue
    const evaluation = evaluateResponse(component, value, { elapsedMs, attempt })
    if (evaluation.kind === 'accepted' && evaluation.isFinal && evaluation.outcome === undefined) return value
  }
  return undefined
}
