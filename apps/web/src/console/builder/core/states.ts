import {
  changedList,
  changedValue,
  freshName,
  isObject,
  listAt,
  listIn,
  type Path,
  textIn,
  valueAt,
  withItem,
  withoutValue,
  withValue,
} from './document.ts'
import { changedParts, idAt, partOf, stateIdsIn, statesOf } from './parts.ts'

/** A state that is new everywhere: ids of states tell where an answer was given. */
export const newState = (document: unknown, name: string) => ({
  id: freshName('state', [...stateIdsIn(document), 'end']),
  name,
  components: [],
})

export const addState = (document: unknown, list: Path, at: number, name: string): unknown =>
  withItem(document, list, at, newState(document, name))

/** Ids that `addState` gives. */
const madeUpId = /^state(-\d+)?$/
const longestId = 40

/**
 * The id of a new state follows its name, so that data and plots speak of “talk” rather than “state”. Once it is
 * published, people may have answered in it, and the id stays.
 */
export function nameStateId(document: unknown, place: Path, published: ReadonlySet<string>): unknown {
  const id = idAt(document, place)
  const name = textIn(valueAt(document, [...place, 'name']))
  if (id === undefined || name === undefined || published.has(id) || !madeUpId.test(id)) return document
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const plain = letters.replaceAll(/[^a-z0-9]+/g, ' ')
  const base = plain.trim().slice(0, longestId).trim().replaceAll(' ', '-')
  return base === ''
    ? document
    : renameState(document, place, freshName(base, [...stateIdsIn(document), 'end']))
}

/** Beside the original, and reached in the same way: whatever leads to the original still does. */
export function duplicateState(document: unknown, list: Path, at: number): unknown {
  const state = valueAt(document, [...list, at])
  if (!isObject(state)) return document
  const id = freshName(`${textIn(state.id) ?? 'state'}-copy`, stateIdsIn(document))
  return withItem(document, list, at + 1, { ...state, id })
}

/**
 * Lists that merely enumerate states forget it. A transition that led to it stays, because only its author knows where it
 * should lead now; the check points to it.
 */
export function deleteState(document: unknown, place: Path): unknown {
  const id = idAt(document, place)
  const remaining = withoutValue(document, place)
  if (id === undefined || stateIdsIn(remaining).includes(id)) return remaining
  return changedList(forgottenByBlocks(remaining, partOf(place), id), ['globalComponents'], (component) =>
    isObject(component) && listIn(component.states).includes(id)
      ? { ...component, states: without(component.states, id) }
      : component,
  )
}

const without = (states: unknown, id: string) => listIn(states).filter((each) => each !== id)

/** Blocks play states of their own part. */
export function forgottenByBlocks(document: unknown, part: Path, id: string): unknown {
  const list = [...part, 'blocks']
  const changed = changedList(document, list, (block) =>
    isObject(block) && listIn(block.states).includes(id)
      ? { ...block, states: without(block.states, id) }
      : block,
  )
  const blocks = listAt(changed, list)
  const left = withoutEmptyBlocks(blocks, stateIdsIn(changed))
  if (left.length === blocks.length) return changed
  return left.length === 0 ? withoutValue(changed, list) : withValue(changed, list, left)
}

/** Blocks without members, and then those that only had these, are of no use. */
function withoutEmptyBlocks(blocks: readonly unknown[], stateIds: readonly string[]): readonly unknown[] {
  const isEmpty = (block: unknown): boolean =>
    isObject(block) && Array.isArray(block.states) && block.states.length === 0
  const removed = blocks.filter(isEmpty).flatMap((block) => textIn(valueAt(block, ['id'])) ?? [])
  const left = blocks.filter((block) => !isEmpty(block))
  const isGone = (id: unknown): boolean =>
    typeof id === 'string' && removed.includes(id) && !stateIds.includes(id)
  const others = left.map((block) =>
    isObject(block) && listIn(block.states).some(isGone)
      ? { ...block, states: listIn(block.states).filter((id) => !isGone(id)) }
      : block,
  )
  return others.some(isEmpty) ? withoutEmptyBlocks(others, stateIds) : others
}

/** Where a time limit leads, in the study or a block. */
const limitTarget: Path = ['timeLimit', 'onTimeout', 'to']

/** With every reference to it: transitions, deadlines, time limits, blocks, components across states and scripts of agents. */
export function renameState(document: unknown, place: Path, id: string): unknown {
  const former = idAt(document, place)
  const renamed = withValue(document, [...place, 'id'], id)
  if (former === undefined || former === '' || stateIdsIn(renamed).includes(former)) return renamed
  const newName = (value: unknown) => (value === former ? id : value)
  const inParts = changedParts(renamed, (present, part) => {
    const inStates = changedList(present, statesOf(part), (state) => {
      const retargeted = changedList(state, ['next'], (transition) =>
        changedValue(transition, ['to'], newName),
      )
      return changedValue(retargeted, ['end', 'onTimeout', 'to'], newName)
    })
    return changedList(inStates, [...part, 'blocks'], (block) =>
      changedValue(changedList(block, ['states'], newName), limitTarget, newName),
    )
  })
  const inGlobals = changedList(
    changedValue(inParts, limitTarget, newName),
    ['globalComponents'],
    (component) => changedList(component, ['states'], newName),
  )
  return changedList(inGlobals, ['agents'], (agent) =>
    changedList(agent, ['script'], (line) => changedValue(line, ['state'], newName)),
  )
}
