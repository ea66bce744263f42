import { ExperimentDefinition } from '@atrium/contract'
import { texts } from '../../../text/console.ts'
import { isObject, type Path, pathOf, valueAt } from '../core/document.ts'
import { partOf } from '../core/parts.ts'
import { labelOf, type Schema } from '../form/schema.ts'
import { titleOfComponent, titleOfStage, titleOfState } from '../titles.ts'

const { properties: settings = {} } = ExperimentDefinition as unknown as Schema

/** `/states/1/components/0/label` → “Contribute › Slider › Label”; within a stage, that comes first. */
export function placeInWords(document: unknown, pointer: string): string {
  const path = pathOf(document, pointer)
  if (path.length === 0) return texts().builder.problems.whole
  return path
    .map((key, depth) => wordOf(document, path, key, depth))
    .filter((word) => word !== '')
    .join(' › ')
}

function wordOf(document: unknown, path: Path, key: string | number, depth: number): string {
  const isListOf = (name: string) => path[depth - 1] === name
  // How deep the states stand: in the study, or in a stage.
  const outer = partOf(path).length
  if (typeof key === 'string') {
    const isUnnamed =
      path.length > depth + 1 &&
      ((key === 'stages' && depth === 0) ||
        (key === 'states' && depth === outer) ||
        (key === 'components' && depth === outer + 2))
    return isUnnamed ? '' : labelOf(key, depth === 0 ? (settings[key] ?? {}) : {})
  }
  const value = valueAt(document, path.slice(0, depth + 1))
  if (isListOf('stages') && depth === 1) return titleOfStage(value, key)
  if (isListOf('states') && depth === outer + 1) return titleOfState(value, key)
  if (isListOf('components') || isListOf('globalComponents')) return titleOfComponent(value).title
  const name = isObject(value) ? (value.name ?? value.id) : value
  return typeof name === 'string' && name !== '' ? name : String(key + 1)
}
