import type { ExperimentDefinition } from '../definition/definition.ts'
import type { ValidationIssue } from '../errors.ts'
import { componentTypeOf, componentTypes, isKnownType } from './catalogue.ts'
import { type ComponentType, error, type Finding, type Settings, warning } from './component-type.ts'
import { nearestName } from './nearest.ts'
import { endFindings, type Placed, placedComponents, referenceFindings } from './references.ts'
import { settingIssues } from './setting-issues.ts'

/** What every component may have, whatever its type. */
const everyComponent: readonly string[] = ['id', 'type', 'roles', 'states', 'required', 'saveTo']

/**
 * The components of a definition against the catalogue. Errors would break the experiment; warnings are what
 * it runs with, but hardly as it was meant.
 */
export function checkComponents(definition: ExperimentDefinition): {
  errors: ValidationIssue[]
  warnings: ValidationIssue[]
} {
  const findings = [
    ...placedComponents(definition).flatMap((placed) =>
      findingsOf(placed, definition).map((each) => ({ ...each, path: placed.path + each.path })),
    ),
    ...endFindings(definition),
  ]
  const issuesOf = (level: Finding['level']): ValidationIssue[] =>
    findings.filter((each) => each.level === level).map(({ path, message }) => ({ path, message }))
  return { errors: issuesOf('error'), warnings: issuesOf('warning') }
}

function findingsOf(placed: Placed, definition: ExperimentDefinition): Finding[] {
  const { component } = placed
  const name = String(component.type)
  if (!isKnownType(name))
    return [
      warning('/type', `‘${name}’ is not a known component type${meant(name, Object.keys(componentTypes))}`),
    ]
  const type = componentTypeOf(name)
  return [
    ...placeFindings(type, placed.isGlobal),
    ...settingIssues(type.settings, component),
    ...type.findings(component),
    ...referenceFindings(placed, definition),
    ...unknownSettings(type, component),
    ...uselessSettings(type, component),
  ]
}

function placeFindings({ type, place }: ComponentType, isGlobal: boolean): Finding[] {
  if (place === 'state' && isGlobal)
    return [error('/type', `‘${type}’ belongs into a state; it cannot stay across states`)]
  if (place === 'global' && !isGlobal)
    return [warning('/type', `‘${type}’ is meant to stay across states: put it into globalComponents`)]
  return []
}

function unknownSettings({ settings }: ComponentType, component: Settings): Finding[] {
  const known = [...Object.keys(settings.properties), ...everyComponent]
  return Object.keys(component)
    .filter((name) => !known.includes(name))
    .map((name) => warning(`/${escaped(name)}`, `‘${name}’ is not a known setting${meant(name, known)}`))
}

const uselessSettings = ({ type, responds }: ComponentType, component: Settings): Finding[] =>
  responds !== 'none'
    ? []
    : ['required', 'saveTo']
        .filter((name) => component[name] !== undefined && component[name] !== false)
        .map((name) => warning(`/${name}`, `${name} has no effect: ‘${type}’ takes no response`))

function meant(written: string, candidates: readonly string[]): string {
  const nearest = nearestName(written, candidates)
  return nearest === undefined ? '' : `; did you mean ‘${nearest}’?`
}

/** RFC 6901. */
const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
