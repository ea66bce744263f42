import {
  type Expression,
  evaluate,
  isSpent,
  type Scope,
  spend,
  type Value,
  type Work,
} from '../../flow/index.ts'
import type { Assignment, Blueprint } from './blueprint.ts'
import { entryOf, type FlowState, isActive, isOpen, type RoomState, type Seat } from './room-state.ts'
import { type Turn, tellRoom, tellSeat, workFor } from './turn.ts'
import { isSameValue, keeperAmong, recordChange, type VariableWrite } from './variable-record.ts'

/** What is the same for everyone in a state, worked out once for all of them while nothing changes. */
export interface Common {
  responses: Map<string, Value[]>
  counts: { participants?: number; ready?: number }
  /** Computed variables of the room; absent while variables may change. */
  computed?: Map<string, Value | undefined>
}

export const nothingYet = (): Common => ({ responses: new Map(), counts: {} })

/** Whose things an expression sees, and what working it out may cost. */
interface Reading {
  /** A participant's own things when it is worked out for one, the room's otherwise. */
  seat: Seat | null
  flow: FlowState | null
  work: Work
  common?: Common
}

/** What an expression sees. */
export function scopeFor(
  room: RoomState,
  blueprint: Blueprint,
  { seat, flow, work, common = nothingYet() }: Reading,
): Scope {
  const alone = room.seats.length === 1 ? room.seats[0] : undefined
  const own = seat ?? alone ?? null
  const step = flow?.steps[flow.position]
  const state = step && blueprint.states.get(step.stateId)
  // In the state that asks, only what was answered in this visit: a round must not count the one before.
  const isAskedHere = (componentId: string): boolean =>
    state?.components.some(({ component }) => component.id === componentId) ?? false
  const responseOf = (one: Seat, componentId: string, isHere: boolean): Value | undefined =>
    isHere ? entryOf(one.here.answers, componentId)?.value : entryOf(one.responses, componentId)
  // Where everyone moves together, what the room computes is the same for all of them (F10).
  const computedOfRoom = room.flow && room.seats.length > 1 ? common.computed : undefined
  const computedHere = new Map<string, Value | undefined>()
  const countSeats = (counts: (one: Seat) => boolean): number => {
    spend(work, room.seats.length / 4)
    return room.seats.filter(counts).length
  }
  const scope: Scope = {
    variable(name) {
      const declared = blueprint.variables.get(name)
      if (!declared) return undefined
      if (!declared.compute)
        return (declared.scope === 'participant' ? own?.variables : room.variables)?.[name]
      // Once per scope: a chain of variables that each read another twice would otherwise double at every link. A
      // circle is refused when the definition is saved; should one slip through, it ends here.
      const computed = (declared.scope === 'room' ? computedOfRoom : undefined) ?? computedHere
      if (computed.has(name)) return computed.get(name)
      computed.set(name, undefined)
      const value = evaluate(declared.compute, scope, work)
      computed.set(name, value)
      return value
    },
    response: (componentId) => (own ? responseOf(own, componentId, isAskedHere(componentId)) : undefined),
    responses(componentId) {
      const known = common.responses.get(componentId)
      if (known) return known
      const isHere = isAskedHere(componentId)
      spend(work, room.seats.length + (state?.components.length ?? 0) / 4)
      const values = room.seats.flatMap((one) => {
        const value = responseOf(one, componentId, isHere)
        return value === undefined ? [] : [value]
      })
      common.responses.set(componentId, values)
      return values
    },
    facts: {
      role: own?.role ?? null,
      condition: room.condition,
      round: step?.round ?? null,
      visit: flow?.visit ?? 0,
      state: step?.stateId ?? '',
      // Counted when asked for: most expressions do not, and a scope is made for each who is in the room.
      get participants() {
        common.counts.participants ??= countSeats(isActive)
        return common.counts.participants
      },
      get ready() {
        common.counts.ready ??= countSeats((one) => isActive(one) && one.here.ready)
        return common.counts.ready
      },
    },
  }
  return scope
}

/** An assignment is an event for whoever sees the variable; sending it costs more than making it. */
const costOfAssignment = 32

/** Works assignments out for the room once, or for each of the participants. */
export function assign(
  turn: Turn,
  assignments: readonly Assignment[],
  seats: readonly Seat[],
  flow: FlowState,
  cause: 'onEnter' | 'onEnd',
): void {
  // Assignments change no answer, and nobody comes or goes by them.
  const common = nothingYet()
  const evaluateFor = (expression: Expression, seat: Seat | null): Value => {
    spend(turn.work, costOfAssignment)
    return evaluate(
      expression,
      scopeFor(turn.room, turn.blueprint, { seat, flow, work: turn.work, common }),
      turn.work,
    )
  }
  for (const { variable, value } of assignments) {
    if (isSpent(turn.work)) return
    if (turn.blueprint.variables.get(variable)?.scope === 'participant')
      for (const seat of seats) {
        if (isSpent(turn.work)) return
        setOwn(turn, seat, { variable, value: evaluateFor(value, seat), cause })
      }
    else {
      const shared = evaluateFor(value, seats.length === 1 ? (seats[0] ?? null) : null)
      const keeper = keeperAmong(turn, seats) ?? keeperAmong(turn, turn.room.seats)
      setShared(turn, keeper, { variable, value: shared, cause })
    }
  }
}

/** A response that the component saves to a variable. */
export function save(turn: Turn, seat: Seat, variable: string, value: Value): void {
  const write = { variable, value, cause: 'saveTo' } as const
  if (turn.blueprint.variables.get(variable)?.scope === 'participant') setOwn(turn, seat, write)
  else setShared(turn, seat, write)
}

function setOwn(turn: Turn, seat: Seat, write: VariableWrite): void {
  const { variable, value } = write
  if (!isSameValue(turn, seat.variables[variable], value)) recordChange(turn, seat, seat, write)
  seat.variables = changed(turn, seat, seat.variables, variable, value)
  if (!turn.blueprint.variables.get(variable)?.isSecret)
    tellSeat(turn, seat, { type: 'variables', room: {}, self: { [variable]: value } })
}

/** `keeper` has the change in their record; nobody does in a room of agents. */
function setShared(turn: Turn, keeper: Seat | undefined, write: VariableWrite): void {
  const { variable, value } = write
  if (keeper && !isSameValue(turn, turn.room.variables[variable], value))
    recordChange(turn, 'room', keeper, write)
  turn.room.variables = changed(turn, 'room', turn.room.variables, variable, value)
  if (!turn.blueprint.variables.get(variable)?.isSecret)
    tellRoom(turn, { type: 'variables', room: { [variable]: value }, self: {} })
}

/** Copied once a turn: a thousand assignments to a thousand variables are not a million copies. */
function changed(
  { copied }: Turn,
  whose: Seat | 'room',
  variables: Readonly<Record<string, Value>>,
  variable: string,
  value: Value,
): Record<string, Value> {
  const known = copied.get(whose)
  const own = known && known === variables ? known : { ...variables }
  own[variable] = value
  copied.set(whose, own)
  return own
}

/** Nobody assigns computed variables: what they came to is told when it has changed, after the turn. */
export function tellComputed(turn: Turn, before: RoomState): void {
  const { room, blueprint, work } = turn
  const names = [...blueprint.variables].flatMap(([name, { compute, isSecret }]) =>
    compute && !isSecret ? [name] : [],
  )
  if (names.length === 0) return
  const hasChanged = (was: Value | undefined, is: Value | undefined): is is Value => {
    if (was === is || is === undefined) return false
    const [former, present] = [JSON.stringify(was), JSON.stringify(is)]
    spend(work, 2 + ((former?.length ?? 0) + present.length) / 16)
    return former !== present
  }
  const changedOf = (was: Record<string, Value>, is: Record<string, Value>): Record<string, Value> =>
    Object.fromEntries(
      names.flatMap((name): [string, Value][] => {
        const value = is[name]
        return hasChanged(was[name], value) ? [[name, value]] : []
      }),
    )
  const commonBefore = { ...nothingYet(), computed: new Map() }
  const common = { ...nothingYet(), computed: new Map() }
  room.seats.forEach((seat, index) => {
    const former = before.seats[index]
    if (!former || !isOpen(seat) || isSpent(work)) return
    const was = visibleVariables(before, blueprint, former, work, commonBefore)
    const is = visibleVariables(room, blueprint, seat, work, common)
    const news = { room: changedOf(was.room, is.room), self: changedOf(was.self, is.self) }
    if (Object.keys(news.room).length + Object.keys(news.self).length > 0)
      tellSeat(turn, seat, { type: 'variables', ...news })
  })
}

/** Variables that participants may see, computed ones included. */
export function visibleVariables(
  room: RoomState,
  blueprint: Blueprint,
  seat: Seat,
  work: Work = workFor(room.seats.length),
  common: Common = nothingYet(),
): { room: Record<string, Value>; self: Record<string, Value> } {
  const visible: { room: Record<string, Value>; self: Record<string, Value> } = { room: {}, self: {} }
  // Each at their own pace is in a state of their own, where responses mean others.
  const shared = room.flow ? common : nothingYet()
  const scope = scopeFor(room, blueprint, { seat, flow: seat.flow ?? room.flow, work, common: shared })
  spend(work, blueprint.variables.size / 4)
  for (const [name, declared] of blueprint.variables)
    if (!declared.isSecret)
      visible[declared.scope === 'participant' ? 'self' : 'room'][name] = scope.variable(name) ?? null
  return visible
}

/** The variables of a room or a participant at the start. */
export const initialVariables = (
  blueprint: Blueprint,
  scope: 'room' | 'participant',
): Record<string, Value> =>
  Object.fromEntries(
    [...blueprint.variables].flatMap(([name, declared]) =>
      declared.scope === scope && !declared.compute ? [[name, declared.initial]] : [],
    ),
  )
