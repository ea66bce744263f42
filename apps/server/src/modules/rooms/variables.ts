import { type Expression, evaluate, type Scope, type Value } from '../flow/index.ts'
import type { Assignment, Blueprint } from './blueprint.ts'
import { entryOf, type FlowState, isActive, isOpen, type RoomState, type Seat } from './room-state.ts'
import { type Turn, tellRoom, tellSeat } from './turn.ts'

/** What an expression sees: a participant's own things when it is worked out for one, the room's otherwise. */
export function scopeFor(
  room: RoomState,
  blueprint: Blueprint,
  seat: Seat | null,
  flow: FlowState | null,
): Scope {
  const alone = room.seats.length === 1 ? room.seats[0] : undefined
  const own = seat ?? alone ?? null
  const step = flow?.steps[flow.position]
  const state = step && blueprint.states.get(step.stateId)
  const responseOf = (one: Seat, componentId: string): Value | undefined =>
    // In the state that asks, only what was answered in this visit: a round must not count the one before.
    state?.components.some(({ component }) => component.id === componentId)
      ? entryOf(one.here.answers, componentId)?.value
      : entryOf(one.responses, componentId)
  const computed = new Map<string, Value | undefined>()
  const scope: Scope = {
    variable(name) {
      const declared = blueprint.variables.get(name)
      if (!declared) return undefined
      if (!declared.compute)
        return (declared.scope === 'participant' ? own?.variables : room.variables)?.[name]
      // Once per scope: a chain of variables that each read another twice would otherwise double at every link. A
      // circle is refused when the definition is saved; should one slip through, it ends here.
      if (computed.has(name)) return computed.get(name)
      computed.set(name, undefined)
      const value = evaluate(declared.compute, scope)
      computed.set(name, value)
      return value
    },
    response: (componentId) => (own ? responseOf(own, componentId) : undefined),
    responses: (componentId) =>
      room.seats.flatMap((one) => {
        const value = responseOf(one, componentId)
        return value === undefined ? [] : [value]
      }),
    facts: {
      role: own?.role ?? null,
      condition: room.condition,
      round: step?.round ?? null,
      visit: flow?.visit ?? 0,
      state: step?.stateId ?? '',
      participants: room.seats.filter(isActive).length,
      ready: room.seats.filter((one) => isActive(one) && one.here.ready).length,
    },
  }
  return scope
}

/** Works assignments out for the room once, or for each of the participants. */
export function assign(
  turn: Turn,
  assignments: readonly Assignment[],
  seats: readonly Seat[],
  flow: FlowState,
): void {
  for (const { variable, value } of assignments) {
    if (turn.blueprint.variables.get(variable)?.scope === 'participant')
      for (const seat of seats) setOwn(turn, seat, variable, evaluateFor(turn, value, seat, flow))
    else
      setShared(
        turn,
        variable,
        evaluateFor(turn, value, seats.length === 1 ? (seats[0] ?? null) : null, flow),
      )
  }
}

const evaluateFor = (turn: Turn, expression: Expression, seat: Seat | null, flow: FlowState): Value =>
  evaluate(expression, scopeFor(turn.room, turn.blueprint, seat, flow))

/** A response that the component saves to a variable. */
export function save(turn: Turn, seat: Seat, variable: string, value: Value): void {
  if (turn.blueprint.variables.get(variable)?.scope === 'participant') setOwn(turn, seat, variable, value)
  else setShared(turn, variable, value)
}

function setOwn(turn: Turn, seat: Seat, variable: string, value: Value): void {
  seat.variables = { ...seat.variables, [variable]: value }
  if (!turn.blueprint.variables.get(variable)?.isSecret)
    tellSeat(turn, seat, { type: 'variables', room: {}, self: { [variable]: value } })
}

function setShared(turn: Turn, variable: string, value: Value): void {
  turn.room.variables = { ...turn.room.variables, [variable]: value }
  if (!turn.blueprint.variables.get(variable)?.isSecret)
    tellRoom(turn, { type: 'variables', room: { [variable]: value }, self: {} })
}

/** Nobody assigns computed variables: what they came to is told when it has changed, after the turn. */
export function tellComputed(turn: Turn, before: RoomState): void {
  const { room, blueprint } = turn
  const names = [...blueprint.variables].flatMap(([name, { compute, isSecret }]) =>
    compute && !isSecret ? [name] : [],
  )
  if (names.length === 0) return
  const changed = (was: Record<string, Value>, is: Record<string, Value>): Record<string, Value> =>
    Object.fromEntries(
      names.flatMap((name): [string, Value][] => {
        const value = is[name]
        return value === undefined || JSON.stringify(value) === JSON.stringify(was[name])
          ? []
          : [[name, value]]
      }),
    )
  room.seats.forEach((seat, index) => {
    const former = before.seats[index]
    if (!former || !isOpen(seat)) return
    const was = visibleVariables(before, blueprint, former)
    const is = visibleVariables(room, blueprint, seat)
    const news = { room: changed(was.room, is.room), self: changed(was.self, is.self) }
    if (Object.keys(news.room).length + Object.keys(news.self).length > 0)
      tellSeat(turn, seat, { type: 'variables', ...news })
  })
}

/** Variables that participants may see, computed ones included. */
export function visibleVariables(
  room: RoomState,
  blueprint: Blueprint,
  seat: Seat,
): { room: Record<string, Value>; self: Record<string, Value> } {
  const visible: { room: Record<string, Value>; self: Record<string, Value> } = { room: {}, self: {} }
  const scope = scopeFor(room, blueprint, seat, seat.flow ?? room.flow)
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
