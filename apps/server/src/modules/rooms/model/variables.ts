import { levelsOf } from '@atrium/contract'
import {
  draws,
  type Expression,
  elapsedTime,
  enteredSource,
  evaluate,
  fieldReadAt,
  isSpent,
  nodesIn,
  type Scope,
  spend,
  type Value,
  type Work,
} from '@atrium/expressions'
import { random } from '@atrium/flow'
import type { Blueprint } from './blueprint.ts'
import { fieldOfMember, valueOfMember, valuesOfNeighbours, valuesOfOthers } from './members.ts'
import { sittersOf } from './network.ts'
import {
  conditionIn,
  entryOf,
  type FlowState,
  isActive,
  isOpen,
  type RoomState,
  type Seat,
} from './room-state.ts'
import type { Assignment } from './state-blueprint.ts'
import { answersAbout } from './targets.ts'
import { emitToRoom, emitToSeat, type Turn, workFor } from './turn.ts'
import { isSameValue, keeperAmong, recordChange, type VariableWrite } from './variable-record.ts'

/** Values that are the same for everyone in a state, computed once for all of them while nothing changes. */
export interface Common {
  responses: Map<string, Value[]>
  counts: { participants?: number; ready?: number }
  /** Computed room variables; absent while variables may change. */
  computed?: Map<string, Value | undefined>
  /** What everyone has of a variable, in seat order; absent while variables may change. */
  ofMembers?: Map<string, readonly Value[]>
  /** The same of those who are read as somebody’s neighbours. */
  ofNeighbours?: Map<string, Map<Seat, Value>>
  /** Who sits at each place of the network; nobody takes a seat meanwhile. */
  sitters?: ReadonlyMap<number, Seat>
}

export const emptyCommon = (): Common => ({ responses: new Map(), counts: {} })
/** Where no variable changes meanwhile. */
export type SteadyCommon = Common & Required<Pick<Common, 'ofMembers'>>
export const steadyCommon = (): SteadyCommon => ({
  ...emptyCommon(),
  computed: new Map(),
  ofMembers: new Map(),
  ofNeighbours: new Map(),
})

/** Whose values an expression sees, and what evaluating it may cost. */
interface Reading {
  /** The participant it is evaluated for; null when it is evaluated for the room. */
  seat: Seat | null
  flow: FlowState | null
  work: Work
  common?: Common
  /** Absent where an expression cannot ask for the time. */
  now?: number
  /** RM243: of which block the round is meant; that of the innermost where absent. */
  round?: number
}

/** The scope that an expression is evaluated in. */
export function scopeFor(
  room: RoomState,
  blueprint: Blueprint,
  { seat, flow, work, common = emptyCommon(), now, round }: Reading,
): Scope {
  const alone = room.seats.length === 1 ? room.seats[0] : undefined
  const own = seat ?? alone ?? null
  const step = flow?.steps[flow.position]
  const state = step && blueprint.states.get(step.stateId)
  // In the state that asks, only responses of this visit count: a round must not see those of the one before.
  const isAskedHere = (componentId: string): boolean =>
    state?.components.some(({ component }) => component.id === componentId) ?? false
  const responseOf = (one: Seat, componentId: string, isHere: boolean): Value | undefined =>
    isHere ? entryOf(one.here.answers, componentId)?.value : entryOf(one.responses, componentId)
  // Where everyone moves together, computed room variables are the same for all of them (F10).
  const computedOfRoom = room.flow && room.seats.length > 1 ? common.computed : undefined
  const computedHere = new Map<string, Value | undefined>()
  const countSeats = (counts: (one: Seat) => boolean): number => {
    spend(work, room.seats.length / 4)
    return room.seats.filter(counts).length
  }
  const scope: Scope = {
    variable(name) {
      const declared = blueprint.variables.get(name)
      if (!declared)
        return name === elapsedTime && flow && now !== undefined ? now - flow.enteredAt : undefined
      if (!declared.compute)
        return (declared.scope === 'participant' ? own?.variables : room.variables)?.[name]
      // Once per scope: in a chain where each variable reads another twice, the work would double at every link.
      // Circles are refused when the definition is saved; one that slipped through would end here.
      const computed = (declared.scope === 'room' ? computedOfRoom : undefined) ?? computedHere
      if (computed.has(name)) return computed.get(name)
      computed.set(name, undefined)
      const value = evaluate(declared.compute, scope, work)
      computed.set(name, value)
      return value
    },
    field(source, name) {
      if (blueprint.variables.has(source)) return undefined
      if (source === 'trial') return blueprint.trials.valueIn(step, name)
      if (source === 'self') return (own && fieldOfMember(own, scope, name)) ?? null
      if (source === 'metadata') return (own?.metadata && entryOf(own.metadata, name)) ?? null
      if (source === enteredSource) return (own && entryOf(own.here.answers, name)?.value) ?? null
      if (source === 'condition') return levelOf(blueprint, conditionIn(room, own), name)
      if (source === 'received') {
        if (!own) return null
        const isHere = isAskedHere(name)
        return answersAbout(room, own, (one) => responseOf(one, name, isHere), work)
      }
      // Nobody is asked about here.
      if (source === 'each') return null
      if (source === 'neighbours')
        return own ? valuesOfNeighbours(room, own, name, readingMembers(room, blueprint, work, common)) : []
      if (source !== 'others') return undefined
      return valuesOfOthers(room, own, name, readingMembers(room, blueprint, work, common))
    },
    response: (componentId) => (own ? responseOf(own, componentId, isAskedHere(componentId)) : undefined),
    responses(componentId) {
      const known = common.responses.get(componentId)
      if (known) return known
      const isHere = isAskedHere(componentId)
      spend(work, room.seats.length + (state?.components.length ?? 0) / 4)
      const values = room.seats.flatMap((one) => {
        // What they had answered counts for the agent that took over, once.
        if (one.replacedBy !== undefined) return []
        const value = responseOf(one, componentId, isHere)
        return value === undefined ? [] : [value]
      })
      common.responses.set(componentId, values)
      return values
    },
    facts: {
      role: own?.role ?? null,
      condition: conditionIn(room, own),
      round: round ?? step?.round ?? null,
      visit: flow?.visit ?? 0,
      state: step?.stateId ?? '',
      // Counted on demand: most expressions do not ask, and a scope is created for everyone in the room.
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

function readingMembers(room: RoomState, blueprint: Blueprint, work: Work, common: Common) {
  const ofMembers = common.ofMembers ?? new Map<string, readonly Value[]>()
  const ofNeighbours = common.ofNeighbours ?? new Map<string, Map<Seat, Value>>()
  const sittersNow = (): ReadonlyMap<number, Seat> => {
    common.sitters ??= sittersOf(room)
    return common.sitters
  }
  const shared = { ...(room.flow ? common : emptyCommon()), ofMembers, ofNeighbours }
  const scopeOf = (one: Seat): Scope =>
    scopeFor(room, blueprint, { seat: one, flow: one.flow ?? room.flow, work, common: shared })
  return { work, ofMembers, ofNeighbours, sittersNow, scopeOf }
}

/** R62: the scope where somebody is asked about. Made for every pair in a room, so it takes over what the one of the reader has. */
export function scopeAbout(
  ofReader: Scope,
  target: Seat,
  {
    room,
    blueprint,
    work,
    common,
  }: { room: RoomState; blueprint: Blueprint; work: Work; common: SteadyCommon },
): Scope {
  const { variable, response, responses, draw } = ofReader
  return {
    ...{ variable, response, responses, ...(draw && { draw }) },
    field: (source, name) =>
      source === 'each' && !blueprint.variables.has(source)
        ? valueOfMember(room, target, name, readingMembers(room, blueprint, work, common))
        : ofReader.field?.(source, name),
    get facts() {
      return ofReader.facts
    },
  }
}

/** F65: of a factor; undefined in a study without factors. */
function levelOf({ definition }: Blueprint, condition: string | null, factor: string): Value | undefined {
  const { conditions } = definition
  if (!conditions?.factors) return undefined
  return entryOf(levelsOf(conditions, condition) ?? {}, factor) ?? null
}

/** An assignment is an event for everyone who sees the variable; sending it costs more than making it. */
const costOfAssignment = 32
/** Making its random numbers. */
const costOfDraw = 64

/** Evaluates assignments: to room variables once, to participant variables for each of the seats. */
export function assign(
  turn: Turn,
  assignments: readonly Assignment[],
  seats: readonly Seat[],
  flow: FlowState,
  cause: 'onEnter' | 'onEnd',
): void {
  // Assignments change no response and nobody's presence, so these values stay valid throughout.
  const common = emptyCommon()
  const evaluateFor = ({ variable, value }: Assignment, seat: Seat | null): VariableWrite => {
    spend(turn.work, costOfAssignment)
    const scope = scopeFor(turn.room, turn.blueprint, { seat, flow, work: turn.work, common, now: turn.now })
    if (!draws(value.root)) return { variable, cause, value: evaluate(value, scope, turn.work) }
    spend(turn.work, costOfDraw)
    // The place of the draw, which is the same after a replay, and for somebody whose id was deleted.
    const who = seat ? turn.room.seats.indexOf(seat) : 'room'
    const draw = random(`${turn.room.seed} ${who} ${flow.visit} ${cause} ${variable}`)
    return { variable, cause: 'draw', value: evaluate(value, { ...scope, draw }, turn.work) }
  }
  for (const assignment of assignments) {
    if (isSpent(turn.work)) return
    if (turn.blueprint.variables.get(assignment.variable)?.scope === 'participant')
      assignToEach(turn, seats, readsOthers(assignment.value.root), (seat) => evaluateFor(assignment, seat))
    else {
      const write = evaluateFor(assignment, seats.length === 1 ? (seats[0] ?? null) : null)
      setShared(turn, keeperAmong(turn, seats) ?? keeperAmong(turn, turn.room.seats), write)
    }
  }
}

/** RM192: where the values depend on each other, all are found before any is set, so that seats are equal. */
function assignToEach(
  turn: Turn,
  seats: readonly Seat[],
  isTogether: boolean,
  evaluateFor: (seat: Seat) => VariableWrite,
): void {
  const found = isTogether ? seats.map(evaluateFor) : []
  for (const [index, seat] of seats.entries()) {
    if (isSpent(turn.work)) return
    setOwn(turn, seat, found[index] ?? evaluateFor(seat))
  }
}

const readsOthers = (root: Expression['root']): boolean =>
  [...nodesIn(root)].some((node) => ['others', 'neighbours'].includes(fieldReadAt(node)?.source ?? ''))

/** Saves a response to the variable that its component names. */
export function save(turn: Turn, seat: Seat, variable: string, value: Value): void {
  const write = { variable, value, cause: 'saveTo' } as const
  if (turn.blueprint.variables.get(variable)?.scope === 'participant') setOwn(turn, seat, write)
  else setShared(turn, seat, write)
}

function setOwn(turn: Turn, seat: Seat, write: VariableWrite): void {
  const { variable, value } = write
  if (isNews(turn, seat.variables, write)) recordChange(turn, seat, seat, write)
  seat.variables = changed(turn, seat, seat.variables, variable, value)
  if (!turn.blueprint.variables.get(variable)?.isSecret)
    emitToSeat(turn, seat, { type: 'variables', room: {}, self: { [variable]: value } })
}

/** The change goes into the record of `keeper`; a room of agents has none. */
function setShared(turn: Turn, keeper: Seat | undefined, write: VariableWrite): void {
  const { variable, value } = write
  if (keeper && isNews(turn, turn.room.variables, write)) recordChange(turn, 'room', keeper, write)
  turn.room.variables = changed(turn, 'room', turn.room.variables, variable, value)
  if (!turn.blueprint.variables.get(variable)?.isSecret)
    emitToRoom(turn, { type: 'variables', room: { [variable]: value }, self: {} })
}

/** What was drawn is recorded even if it happens to be the value before. */
const isNews = (
  turn: Turn,
  before: Readonly<Record<string, Value>>,
  { variable, value, cause }: VariableWrite,
) => cause === 'draw' || !isSameValue(turn, before[variable], value)

/** Copies once per turn, so that a thousand assignments to a thousand variables do not make a million copies. */
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

/** Nobody assigns computed variables, so those that participants see are compared after each action. */
export function emitComputed(turn: Turn, before: RoomState): void {
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
  const commonBefore = steadyCommon()
  const common = steadyCommon()
  room.seats.forEach((seat, index) => {
    const former = before.seats[index]
    if (!former || !isOpen(seat) || isSpent(work)) return
    const was = visibleVariables(before, blueprint, former, work, commonBefore)
    const is = visibleVariables(room, blueprint, seat, work, common)
    const news = { room: changedOf(was.room, is.room), self: changedOf(was.self, is.self) }
    if (Object.keys(news.room).length + Object.keys(news.self).length > 0)
      emitToSeat(turn, seat, { type: 'variables', ...news })
  })
}

/** The variables that a participant may see, computed ones included. */
export function visibleVariables(
  room: RoomState,
  blueprint: Blueprint,
  seat: Seat,
  work: Work = workFor(room.seats.length),
  common: Common = emptyCommon(),
): { room: Record<string, Value>; self: Record<string, Value> } {
  const visible: { room: Record<string, Value>; self: Record<string, Value> } = { room: {}, self: {} }
  // At their own pace, participants are in different states, where `responses` means different ones.
  const shared = room.flow ? common : emptyCommon()
  const scope = scopeFor(room, blueprint, { seat, flow: seat.flow ?? room.flow, work, common: shared })
  spend(work, blueprint.variables.size / 4)
  for (const [name, declared] of blueprint.variables)
    if (!declared.isSecret)
      visible[declared.scope === 'participant' ? 'self' : 'room'][name] = scope.variable(name) ?? null
  return visible
}

/** Nothing that has happened: an initial value depends on its place alone. */
const beforeEverything: Omit<Scope, 'draw'> = {
  variable: () => undefined,
  response: () => undefined,
  responses: () => [],
  facts: { role: null, condition: null, round: null, visit: 0, state: '', participants: 0, ready: 0 },
}

/** `place` tells rooms and seats apart, so that each draws its own values. */
export const initialVariables = (
  blueprint: Blueprint,
  scope: 'room' | 'participant',
  place: string,
): Record<string, Value> =>
  Object.fromEntries(
    [...blueprint.variables].flatMap(([name, declared]) => {
      if (declared.scope !== scope || declared.compute) return []
      const { initial, initialExpression } = declared
      if (!initialExpression) return [[name, initial]]
      const draw = random(`${place} initial ${name}`)
      return [[name, evaluate(initialExpression, { ...beforeEverything, draw })]]
    }),
  )
