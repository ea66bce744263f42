import { outcomeNames, trialIndex } from '@atrium/contract'
import { idsIn } from './core/components.ts'
import { isObject, listAt, textIn, valueAt } from './core/document.ts'
import { stateIdsIn } from './core/states.ts'

export interface Names {
  languages: readonly string[]
  /** By the property that refers to them. */
  byProperty: ReadonlyMap<string, readonly string[]>
}

/** What stands in the `states` of a block: states, and blocks. */
const membersOfBlocks = 'blocks/states'

/** Under which name what can stand at a place is found: a property, except where the same one means more. */
export const namedAt = (property: string, path: readonly (string | number)[]): string =>
  property === 'states' && path[0] === 'blocks' ? membersOfBlocks : property

/** What the parts of a definition are called, for fields that refer to them. */
export function namesIn(document: unknown): Names {
  const states = stateIdsIn(document)
  const blocks = idsIn(document, ['blocks'])
  const declared = valueAt(document, ['variables'])
  const variables = isObject(declared) ? Object.keys(declared) : []
  const ownVariables = variables.filter((name) => valueAt(declared, [name, 'scope']) === 'participant')
  const roles = listAt(document, ['roles']).flatMap(
    (role) => textIn(role) ?? textIn(valueAt(role, ['id'])) ?? [],
  )
  const components = [
    ...listAt(document, ['states']).flatMap((_, at) => idsIn(document, ['states', at, 'components'])),
    ...idsIn(document, ['globalComponents']),
  ]
  const tables = valueAt(document, ['tables'])
  const tableIds = isObject(tables) ? Object.keys(tables) : []
  const columns = tableIds.flatMap((id) => Object.keys(rowIn(valueAt(tables, [id, 'rows', 0]))))
  const inTrials = [...columns, ...(tableIds.length > 0 ? [trialIndex] : [])].map((name) => `trial.${name}`)
  const inExpressions = [...variables, ...components.map((id) => `responses.${id}`), ...inTrials]
  const byProperty: [string, readonly string[]][] = [
    ['to', [...states, 'end']],
    ['state', states],
    ['states', states],
    [membersOfBlocks, [...states, ...blocks]],
    ['role', roles],
    ['roles', roles],
    ['variables', inExpressions],
    ['table', tableIds],
    ['shownWhen', [...inExpressions, ...components.map((id) => `answers.${id}`)]],
    ['saveTo', variables],
    ['variable', variables],
    ['bonus', variables],
    ['of', ownVariables],
    ['block', blocks],
    ['outcomes', outcomeNames],
    ['payoff', variables],
    ['sees', variables],
    ['componentId', components],
    ['shuffle', components],
    ['mediates', components],
    ['codes', outcomeNames],
  ]
  return {
    languages: listAt(document, ['languages']).filter((language) => typeof language === 'string'),
    byProperty: new Map(byProperty.map(([name, found]) => [name, [...new Set(found)]])),
  }
}

/** The columns of an uploaded table are on the server. */
const rowIn = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})
