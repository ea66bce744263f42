import type { ExperimentDefinition, ValidationIssue } from '@atrium/contract'
import {
  type ComponentType,
  componentTypeOf,
  componentTypes,
  createSuggestions,
  error,
  type Finding,
  isKnownType,
  type Settings,
  type Suggest,
  warning,
  withStandIns,
} from '@atrium/contract/components'
import { addressFindingsIn } from './addresses.ts'
import {
  endFindings,
  inStepFindings,
  type Placed,
  placedComponents,
  referenceFindings,
} from './references.ts'
import { settingIssues } from './setting-issues.ts'
import { unknownSettings } from './unknown-settings.ts'

/** Nobody reads more than this, and finding each one takes time. */
const maxFindings = 100

/**
 * Checks the components of a definition against the catalogue. Errors would break the experiment; with warnings it
 * runs, but probably not as intended. Returns the first hundred of each. Components in `known` have been checked.
 */
export function checkComponents(
  definition: ExperimentDefinition,
  known: ReadonlySet<object> = new Set(),
): {
  errors: ValidationIssue[]
  warnings: ValidationIssue[]
} {
  const found = { errors: [] as ValidationIssue[], warnings: [] as ValidationIssue[] }
  const keep = (findings: readonly Finding[], at: string): void => {
    for (const { level, path, message } of findings) {
      const kept = level === 'error' ? found.errors : found.warnings
      if (kept.length < maxFindings) kept.push({ path: at + path, message })
    }
  }
  const suggest = createSuggestions()
  for (const placed of placedComponents(definition)) {
    if (found.errors.length === maxFindings) break
    if (known.has(placed.component)) continue
    keep(findingsOf(placed, definition, suggest), placed.path)
  }
  keep(endFindings(definition), '')
  keep(inStepFindings(definition), '')
  return found
}

function findingsOf(placed: Placed, definition: ExperimentDefinition, suggest: Suggest): Finding[] {
  const { component } = placed
  const name = String(component.type)
  if (!isKnownType(name))
    return [
      warning(
        '/type',
        `unknown component type ‘${name}’${meant(suggest(name, Object.keys(componentTypes)))}`,
      ),
    ]
  const type = componentTypeOf(name)
  // What a setting from a value will be, nobody knows yet: only the others can be checked.
  const known = withStandIns(component)
  const isKnown = known === component
  return [
    ...placeFindings(type, placed.isGlobal),
    ...(type.fits(known) ? [] : settingIssues(type.settings, known)),
    ...(isKnown ? type.findings(component, suggest) : addressFindingsIn(known)),
    ...referenceFindings(placed, definition),
    ...unknownSettings(type, known, placed.isGlobal, suggest),
    ...uselessSettings(type, component),
  ]
}

function placeFindings({ type, place }: ComponentType, isGlobal: boolean): Finding[] {
  if (place === 'state' && isGlobal)
    return [error('/type', `‘${type}’ can only be used in a state, not in globalComponents`)]
  if (place === 'global' && !isGlobal)
    return [warning('/type', `‘${type}’ is meant to be shown across states; move it to globalComponents`)]
  return []
}

const uselessSettings = ({ type, responds }: ComponentType, component: Settings): Finding[] =>
  responds !== 'none'
    ? []
    : ['required', 'saveTo']
        .filter((name) => component[name] !== undefined && component[name] !== false)
        .map((name) =>
          warning(`/${name}`, `‘${name}’ has no effect, because ‘${type}’ does not accept responses`),
        )

const meant = (nearest: string | undefined): string =>
  nearest === undefined ? '' : `; did you mean ‘${nearest}’?`
