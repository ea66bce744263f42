import { responseSchemaOf } from './catalogue.ts'
import type { Settings } from './component-type.ts'
import { recordedSchemaOf } from './recorded-schema.ts'

export interface ValueLabel {
  value: unknown
  /** As participants saw it, if it differs from the value. */
  label?: string
}

interface Facts {
  type?: string
  enum?: readonly unknown[]
  anyOf?: readonly Facts[]
  items?: Facts
  properties?: Record<string, Facts>
  minimum?: number
  maximum?: number
}

/** The settings that list what can be chosen, by the name that they have in the types that have them. */
const listings = ['options', 'items', 'columns', 'regions'] as const

/**
 * What can be chosen in answer to a component, or the points of its scale that have labels; undefined if answers are free.
 * From its schemas, so that it holds for every type, with the labels in its settings. Where it asks about several people, what
 * can be answered about each.
 */
export function valueLabelsOf({ forEach: _, ...component }: Settings): ValueLabel[] | undefined {
  const schema: Facts | undefined = responseSchemaOf(component)
  if (!schema) return undefined
  const chosen = choicesIn(schema) ?? choicesIn(addedTo(schema, recordedSchemaOf(component)))
  if (chosen) {
    const labels = optionLabels(component)
    return chosen.map((value) => withLabel(value, labels.get(value)))
  }
  return pointsOf(schema, component)
}

/** What the server adds to a response may be of a list, too, such as the regions of a picture. */
function addedTo({ properties: sent = {} }: Facts, recorded: Facts = {}): Facts {
  const added = Object.entries(recorded.properties ?? {}).filter(([name]) => !Object.hasOwn(sent, name))
  return { properties: Object.fromEntries(added) }
}

/** The values of one choice, of a list of choices, or of an object in which every answer is one of the same. */
function choicesIn({ enum: values, anyOf, items, properties }: Facts): readonly unknown[] | undefined {
  if (values) return values
  if (items) return choicesIn(items)
  if (anyOf) return anyOf.map(choicesIn).find((choices) => choices !== undefined)
  const answers = Object.values(properties ?? {}).map(choicesIn)
  const [first] = answers
  const isSame = answers.every((one) => JSON.stringify(one) === JSON.stringify(first))
  return first && isSame ? first : undefined
}

function optionLabels(component: Settings): Map<unknown, string> {
  const options = listings.flatMap((name) => (Array.isArray(component[name]) ? component[name] : []))
  return new Map(
    options.flatMap((option: unknown) =>
      typeof option === 'object' &&
      option !== null &&
      'value' in option &&
      'label' in option &&
      typeof option.label === 'string'
        ? [[option.value, option.label] as const]
        : [],
    ),
  )
}

/** A scale whose points have labels, or only its ends. */
function pointsOf({ type, minimum, maximum }: Facts, component: Settings): ValueLabel[] | undefined {
  if (minimum === undefined || maximum === undefined) return undefined
  const { labels, minLabel, maxLabel } = component
  const count = maximum - minimum + 1
  if (type === 'integer' && Array.isArray(labels) && labels.length === count)
    return labels.map((label: unknown, index) => withLabel(minimum + index, String(label)))
  const ends = [
    { value: minimum, label: minLabel },
    { value: maximum, label: maxLabel },
  ].flatMap(({ value, label }) => (typeof label === 'string' ? [{ value, label }] : []))
  if (type !== 'integer' || count > maxPoints) return ends.length > 0 ? ends : undefined
  return Array.from({ length: count }, (_, index) => {
    const value = minimum + index
    return withLabel(value, ends.find((end) => end.value === value)?.label)
  })
}

/** Of a longer scale, its ends say more than its points. */
const maxPoints = 21

const withLabel = (value: unknown, label: string | undefined): ValueLabel =>
  label === undefined || label === String(value) ? { value } : { value, label }
