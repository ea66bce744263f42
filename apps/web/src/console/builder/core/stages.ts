import { fieldsOfStages } from '@atrium/contract'
import {
  changedList,
  changedValue,
  freshName,
  isObject,
  listAt,
  type Path,
  valueAt,
  withItem,
  withMoved,
  withoutValue,
  withValue,
} from './document.ts'
import { hasStages, idAt, partOf, partsIn, statesOf } from './parts.ts'
import { deleteState, forgottenByBlocks, newState } from './states.ts'

const stageIdsIn = (document: unknown): string[] =>
  listAt(document, ['stages']).flatMap((_, at) => idAt(document, ['stages', at]) ?? [])

const newStageId = (document: unknown, number: number): string =>
  freshName(`stage-${number}`, [...stageIdsIn(document), 'end'])

export const addStage = (document: unknown, at: number, nameOfState: string): unknown =>
  withItem(document, ['stages'], at, {
    id: newStageId(document, listAt(document, ['stages']).length + 1),
    states: [newState(document, nameOfState)],
  })

/** With what its states were to others. */
export function deleteStage(document: unknown, at: number): unknown {
  const states = statesOf(['stages', at])
  const emptied = listAt(document, states).reduce((present) => deleteState(present, [...states, 0]), document)
  return withoutValue(emptied, ['stages', at])
}

/** With the stages that send people there. */
export function renameStage(document: unknown, at: number, id: string): unknown {
  const former = idAt(document, ['stages', at])
  const renamed = withValue(document, ['stages', at, 'id'], id)
  if (former === undefined || stageIdsIn(renamed).includes(former)) return renamed
  return changedList(renamed, ['stages'], (stage) =>
    changedValue(stage, ['matching', 'onDeadline', 'to'], (to) => (to === former ? id : to)),
  )
}

/** To a place in the same list of states or in another, which it then has there. Blocks stay with their stage. */
export function moveState(document: unknown, from: Path, list: Path, to: number): unknown {
  const state = valueAt(document, from)
  if (state === undefined) return document
  const at = Number(from.at(-1))
  const former = from.slice(0, -1)
  if (String(former) === String(list)) return withMoved(document, list, at, to)
  const id = idAt(document, from)
  const moved = withItem(withoutValue(document, from), list, to, state)
  return id === undefined ? moved : forgottenByBlocks(moved, partOf(from), id)
}

/** What a single stage takes over from the study. Conditions of a room belong to the stage in which it is played. */
const fieldsOf = (document: Record<string, unknown>): string[] => [
  ...fieldsOfStages,
  ...(valueAt(document, ['conditions', 'per']) === 'participant' ? [] : ['conditions']),
]

/** The same study as one stage, to which others can be added. */
export function divideIntoStages(document: unknown): unknown {
  if (!isObject(document) || hasStages(document)) return document
  const fields = fieldsOf(document)
  const moved = Object.entries(document).filter(([name]) => fields.includes(name))
  const stage = { id: newStageId({}, 1), states: [], ...Object.fromEntries(moved) }
  const kept = Object.entries(document).filter(([name]) => !fields.includes(name))
  return { ...Object.fromEntries(kept), stages: [stage] }
}

/** The other way round, where there is one stage. */
export function withoutStages(document: unknown): unknown {
  const [stage, ...others] = listAt(document, ['stages'])
  if (!isObject(document) || !isObject(stage) || others.length > 0) return document
  const { stages: _, ...shared } = document
  const { id: _id, when: _when, ...own } = stage
  return { ...shared, ...own }
}

/** Where a state goes one step up or down, over the border of its stage, too. Undefined at the ends of the study. */
export function stepOf(document: unknown, place: Path, by: 1 | -1): { list: Path; to: number } | undefined {
  const list = place.slice(0, -1)
  const to = Number(place.at(-1)) + by
  if (to >= 0 && to < listAt(document, list).length) return { list, to }
  const parts = partsIn(document).map(statesOf)
  const next = parts[parts.findIndex((each) => String(each) === String(list)) + by]
  return next && { list: next, to: by === 1 ? 0 : listAt(document, next).length }
}
