import type { Payment } from '@atrium/contract'
import {
  type Expression,
  enteredSource,
  type FactName,
  type FieldRead,
  fieldReadAt,
  nodesIn,
} from '@atrium/expressions'
import type { RoomState, Seat } from './room-state.ts'

/** What a value in a text is made of, down to what actions change. Variables, responses and facts are named apart. */
export interface TextReads {
  /** Of the participant who reads it. */
  own: ReadonlySet<string>
  /** Of the room, or of anybody in it. */
  anyone: ReadonlySet<string>
  /** Whether participants in the same state may read it differently. */
  isPersonal: boolean
  /** The same for those who are asked about one and the same person. */
  isOfReader: boolean
  /** The same for one reader who is asked about several people. */
  isOfTarget: boolean
  /** Whether it reads what is being entered on the page. */
  isOfEntered: boolean
}

const variableKey = (name: string): string => `variable ${name}`
const responseKey = (componentId: string): string => `response ${componentId}`
const factKey = (name: FactName): string => `fact ${name}`
/** Who the others are, and which of them are neighbours: it changes when somebody is replaced, and with the network. */
const othersKey = 'others'

type Variables = ReadonlyMap<string, { scope: 'room' | 'participant'; compute: Expression | null }>

/** Follows computed variables to what they are computed from. Rather too much than too little: what is missed is not updated. */
export function readsOfExpression(
  expression: Expression,
  variables: Variables,
  payment?: Payment,
): TextReads {
  const reads = {
    ...{ own: new Set<string>(), anyone: new Set<string>() },
    ...{ isPersonal: false, isOfReader: false, isOfTarget: false, isOfEntered: false },
  }
  const followed = new Set<string>()

  function differ(): void {
    reads.isPersonal = true
    reads.isOfReader = true
  }

  function readVariable(name: string, whose: 'own' | 'anyone'): void {
    const declared = variables.get(name)
    const visit = `${whose} ${name}`
    if (!declared || followed.has(visit)) return
    followed.add(visit)
    const isRoom = declared.scope === 'room'
    if (declared.compute) readAll(declared.compute, whose)
    else reads[isRoom ? 'anyone' : whose].add(variableKey(name))
    if (!isRoom && whose === 'own') differ()
  }

  function readField({ source, name }: FieldRead, whose: 'own' | 'anyone'): void {
    // What is being entered is known to the page.
    if (source === enteredSource) {
      reads.isOfEntered = true
      return
    }
    reads.isPersonal = true
    if (source === 'each') reads.isOfTarget = true
    else differ()
    // Rounds are picked as the path goes on, when the page is written anyway.
    if (source === 'payment' && payment?.bonus !== undefined) readVariable(payment.bonus, whose)
    if (source === 'received') {
      reads.anyone.add(othersKey).add(responseKey(name))
      return
    }
    const isOfOthers = source === 'others' || source === 'neighbours' || source === 'each'
    if (isOfOthers) reads.anyone.add(othersKey)
    else if (source === 'condition') return void reads.anyone.add(factKey('condition'))
    else if (source !== 'self') return
    if (name === 'role') reads.anyone.add(factKey('role'))
    readVariable(name, isOfOthers ? 'anyone' : whose)
  }

  function readAll({ root }: Expression, whose: 'own' | 'anyone'): void {
    for (const node of nodesIn(root)) {
      const field = fieldReadAt(node)
      if (field && !variables.has(field.source)) readField(field, whose)
      if (node.kind === 'variable') readVariable(node.name, whose)
      else if (node.kind === 'responses') reads.anyone.add(responseKey(node.componentId))
      else if (node.kind === 'response') {
        differ()
        reads[whose].add(responseKey(node.componentId))
      } else if (node.kind === 'fact') {
        reads.anyone.add(factKey(node.name))
        if (node.name === 'role' || node.name === 'condition') differ()
      }
    }
  }

  readAll(expression, 'own')
  return reads
}

export const allReads = (reads: readonly TextReads[]): TextReads => ({
  own: new Set(reads.flatMap(({ own }) => [...own])),
  anyone: new Set(reads.flatMap(({ anyone }) => [...anyone])),
  isPersonal: reads.some(({ isPersonal }) => isPersonal),
  isOfReader: reads.some(({ isOfReader }) => isOfReader),
  isOfTarget: reads.some(({ isOfTarget }) => isOfTarget),
  isOfEntered: reads.some(({ isOfEntered }) => isOfEntered),
})

/** What an action has changed, by the same names. */
export interface RoomChanges {
  bySeat: readonly ReadonlySet<string>[]
  anyone: ReadonlySet<string>
}

const nothing: ReadonlySet<string> = new Set()

export function changesBetween(before: RoomState, after: RoomState): RoomChanges {
  const anyone = new Set<string>()
  addChanged(anyone, before.variables, after.variables, variableKey)
  if (before.condition !== after.condition) anyone.add(factKey('condition'))
  if (before.seats.length !== after.seats.length) anyone.add(othersKey).add(factKey('participants'))
  if (before.network !== after.network) anyone.add(othersKey)
  const bySeat = after.seats.map((seat, index) => {
    const former = before.seats[index]
    if (!former) return nothing
    const own = changesOfSeat(former, seat)
    for (const key of own) anyone.add(key)
    addCircumstances(anyone, former, seat)
    return own
  })
  return { bySeat, anyone }
}

function addCircumstances(changed: Set<string>, former: Seat, seat: Seat): void {
  if (former.status !== seat.status) changed.add(factKey('participants')).add(factKey('ready'))
  if (former.here.ready !== seat.here.ready) changed.add(factKey('ready'))
  if (former.condition !== seat.condition) changed.add(factKey('condition'))
  if (former.role !== seat.role) changed.add(factKey('role'))
  if (former.replacedBy !== seat.replacedBy) changed.add(othersKey)
  if (former.flow?.visit !== seat.flow?.visit)
    for (const name of ['round', 'visit', 'state'] as const) changed.add(factKey(name))
}

function changesOfSeat(former: Seat, seat: Seat): ReadonlySet<string> {
  if (
    former.variables === seat.variables &&
    former.responses === seat.responses &&
    former.here.answers === seat.here.answers
  )
    return nothing
  const changed = new Set<string>()
  addChanged(changed, former.variables, seat.variables, variableKey)
  addChanged(changed, former.responses, seat.responses, responseKey)
  addChanged(changed, former.here.answers, seat.here.answers, responseKey)
  return changed
}

function addChanged(
  changed: Set<string>,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  keyOf: (name: string) => string,
): void {
  if (before === after) return
  for (const name of [...Object.keys(before), ...Object.keys(after)])
    if (before[name] !== after[name]) changed.add(keyOf(name))
}

/** Whether the value may read differently for the participant in this seat. */
export function mayHaveChanged(reads: TextReads, { bySeat, anyone }: RoomChanges, seat: number): boolean {
  return meets(reads.anyone, anyone) || meets(reads.own, bySeat[seat] ?? nothing)
}

function meets(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  if (others.size === 0) return false
  for (const key of some) if (others.has(key)) return true
  return false
}
