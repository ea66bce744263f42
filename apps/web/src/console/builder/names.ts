import { outcomeNames, trialIndex } from '@atrium/contract'
import { idsIn } from './core/components.ts'
import { isObject, listAt, type Path, textIn, valueAt } from './core/document.ts'
import { partsIn, stateIdsIn, statesIn, statesOf } from './core/parts.ts'

export interface Names {
  languages: readonly string[]
  /** By the property that refers to them. */
  byProperty: ReadonlyMap<string, readonly string[]>
}

/** What stands in the `states` of a block: states, and blocks. */
const membersOfBlocks = 'blocks/states'
/** Where the deadline of a wait leads. */
const laterStages = 'matching/to'

/** Under which name what can stand at a place is found: a property, except where the same one means more. */
export function namedAt(property: string, path: readonly (string | number)[]): string {
  const isInStage = path[0] === 'stages'
  const [first] = isInStage ? path.slice(2) : path
  const name =
    property === 'states' && first === 'blocks'
      ? membersOfBlocks
      : property === 'to' && first === 'matching'
        ? laterStages
        : property
  return isInStage && ofParts.includes(name) ? `${path[1]}/${name}` : name
}

/** What is known within a stage only. */
const ofParts: readonly string[] = ['to', membersOfBlocks, laterStages, 'role', 'roles', 'block']

const rolesAt = (document: unknown, part: Path): string[] =>
  listAt(document, [...part, 'roles']).flatMap((role) => textIn(role) ?? textIn(valueAt(role, ['id'])) ?? [])

/** What the parts of a definition are called, for fields that refer to them. */
export function namesIn(document: unknown): Names {
  const states = stateIdsIn(document)
  const parts = partsIn(document)
  const blocks = parts.flatMap((part) => idsIn(document, [...part, 'blocks']))
  const stages = idsIn(document, ['stages'])
  const declared = valueAt(document, ['variables'])
  const variables = isObject(declared) ? Object.keys(declared) : []
  const ownVariables = variables.filter((name) => valueAt(declared, [name, 'scope']) === 'participant')
  const roles = parts.flatMap((part) => rolesAt(document, part))
  const components = [
    ...statesIn(document).flatMap((place) => idsIn(document, [...place, 'components'])),
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
    [laterStages, ['end']],
    ['ownVariables', ownVariables],
    ...parts.flatMap((part, at): [string, readonly string[]][] => {
      const inPart = idsIn(document, statesOf(part))
      const blocksOfPart = idsIn(document, [...part, 'blocks'])
      const rolesOfPart = rolesAt(document, part)
      return [
        [`${at}/to`, [...inPart, 'end']],
        [`${at}/${membersOfBlocks}`, [...inPart, ...blocksOfPart]],
        [`${at}/${laterStages}`, [...stages.slice(at + 1), 'end']],
        [`${at}/role`, rolesOfPart],
        [`${at}/roles`, rolesOfPart],
        [`${at}/block`, blocksOfPart],
      ]
    }),
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
