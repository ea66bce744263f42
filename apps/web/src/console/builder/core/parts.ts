import { listAt, type Path, textIn, valueAt } from './document.ts'

/** What has states, and blocks, roles and matching for them: each stage (R68), or the study where it has no stages. */
export const partsIn = (document: unknown): Path[] =>
  hasStages(document) ? listAt(document, ['stages']).map((_, at) => ['stages', at]) : [[]]

export const hasStages = (document: unknown): boolean => Array.isArray(valueAt(document, ['stages']))

/** The part that a place is in. */
export const partOf = (path: Path): Path => (path[0] === 'stages' ? path.slice(0, 2) : [])

/** Where the states of a part stand. */
export const statesOf = (part: Path): Path => [...part, 'states']

/** Where each state stands. */
export const statesIn = (document: unknown): Path[] =>
  partsIn(document).flatMap((part) =>
    listAt(document, statesOf(part)).map((_, at): Path => [...statesOf(part), at]),
  )

export const idAt = (document: unknown, place: Path): string | undefined =>
  textIn(valueAt(document, [...place, 'id']))

export const stateIdsIn = (document: unknown): string[] =>
  statesIn(document).flatMap((place) => idAt(document, place) ?? [])

/** An edit of each part. */
export const changedParts = (
  document: unknown,
  change: (document: unknown, part: Path) => unknown,
): unknown => partsIn(document).reduce(change, document)
