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

const stateIdAt = (document: unknown, at: number): string | undefined =>
  textIn(valueAt(document, ['states', at, 'id']))

export const stateIdsIn = (document: unknown): string[] =>
  listAt(document, ['states']).flatMap((state) => textIn(valueAt(state, ['id'])) ?? [])

export function addState(document: unknown, at: number, name: string): unknown {
  const id = freshName('state', [...stateIdsIn(document), 'end'])
  return withItem(document, ['states'], at, { id, name, components: [] })
}

/** Ids that `addState` gives. */
const madeUpId = /^state(-\d+)?$/
const longestId = 40

/**
 * The id of a new state follows its name, so that data and plots speak of “talk” rather than “state”. Once it is
 * published, people may have answered in it, and the id stays.
 */
export function nameStateId(document: unknown, at: number, published: ReadonlySet<string>): unknown {
  const id = stateIdAt(document, at)
  const name = textIn(valueAt(document, ['states', at, 'name']))
  if (id === undefined || name === undefined || published.has(id) || !madeUpId.test(id)) return document
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const plain = letters.replaceAll(/[^a-z0-9]+/g, ' ')
  const base = plain.trim().slice(0, longestId).trim().replaceAll(' ', '-')
  return base === '' ? document : renameState(document, at, freshName(base, [...stateIdsIn(document), 'end']))
}

/** Beside the original, and reached in the same way: whatever leads to the original still does. */
export function duplicateState(document: unknown, at: number): unknown {
  const state = valueAt(document, ['states', at])
  if (!isObject(state)) return document
  const id = freshName(`${textIn(state.id) ?? 'state'}-copy`, stateIdsIn(document))
  return withItem(document, ['states'], at + 1, { ...state, id })
}

/**
 * Lists that merely enumerate states forget it. A transition that led to it stays, because only its author knows where it
 * should lead now; the check points to it.
 */
export function deleteState(document: unknown, at: number): unknown {
  const id = stateIdAt(document, at)
  const remaining = withoutValue(document, ['states', at])
  if (id === undefined || stateIdsIn(remaining).includes(id)) return remaining
  const others = (states: unknown) => listIn(states).filter((each) => each !== id)
  const withoutBlocks = changedList(remaining, ['blocks'], (block) =>
    isObject(block) && listIn(block.states).includes(id) ? { ...block, states: others(block.states) } : block,
  )
  const emptied = withoutEmptyBlocks(listAt(withoutBlocks, ['blocks']), stateIdsIn(remaining))
  const cleared =
    emptied.length === listAt(withoutBlocks, ['blocks']).length
      ? withoutBlocks
      : emptied.length === 0
        ? withoutValue(withoutBlocks, ['blocks'])
        : withValue(withoutBlocks, ['blocks'], emptied)
  return changedList(cleared, ['globalComponents'], (component) =>
    isObject(component) && listIn(component.states).includes(id)
      ? { ...component, states: others(component.states) }
      : component,
  )
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
export function renameState(document: unknown, at: number, id: string): unknown {
  const former = stateIdAt(document, at)
  const renamed = withValue(document, ['states', at, 'id'], id)
  if (former === undefined || former === '' || stateIdsIn(renamed).includes(former)) return renamed
  const newName = (value: unknown) => (value === former ? id : value)
  const inStates = changedList(renamed, ['states'], (state) => {
    const retargeted = changedList(state, ['next'], (transition) => changedValue(transition, ['to'], newName))
    return changedValue(retargeted, ['end', 'onTimeout', 'to'], newName)
  })
  const inLimit = changedValue(inStates, limitTarget, newName)
  const inBlocks = changedList(inLimit, ['blocks'], (block) =>
    changedValue(changedList(block, ['states'], newName), limitTarget, newName),
  )
  const inGlobals = changedList(inBlocks, ['globalComponents'], (component) =>
    changedList(component, ['states'], newName),
  )
  return changedList(inGlobals, ['agents'], (agent) =>
    changedList(agent, ['script'], (line) => changedValue(line, ['state'], newName)),
  )
}
