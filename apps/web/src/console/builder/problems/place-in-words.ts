import { ExperimentDefinition } from '@atrium/contract'
import { texts } from '../../../text/console.ts'
import { isObject, type Path, pathOf, valueAt } from '../core/document.ts'
import { labelOf, type Schema } from '../form/schema.ts'
import { titleOfComponent, titleOfState } from '../titles.ts'

const { properties: settings = {} } = ExperimentDefinition as unknown as Schema

/** `/states/1/components/0/label` → “Contribute › Slider › Label”. */
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
  if (typeof key === 'string')
    return (key === 'states' && depth === 0) || (key === 'components' && depth === 2)
      ? ''
      : labelOf(key, depth === 0 ? (settings[key] ?? {}) : {})
  const value = valueAt(document, path.slice(0, depth + 1))
  if (isListOf('states') && depth === 1) return titleOfState(value, key)
  if (isListOf('components') || isListOf('globalComponents')) return titleOfComponent(value).title
  const name = isObject(value) ? (value.name ?? value.id) : value
  return typeof name === 'string' && name !== '' ? name : String(key + 1)
}
