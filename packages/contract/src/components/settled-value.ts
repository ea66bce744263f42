import type { Annotations } from './annotations.ts'

/** The part of JSON Schema that settings use. */
export interface SettingForm extends Partial<Pick<Annotations, 'writeOnly' | 'x-text' | 'x-live'>> {
  type?: unknown
  enum?: readonly unknown[]
  const?: unknown
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  minItems?: number
  maxItems?: number
  required?: readonly string[]
  properties?: Record<string, SettingForm>
  items?: SettingForm
  anyOf?: readonly SettingForm[]
}

/** A union's forms, and the schema itself otherwise. */
export const formsOf = (schema: SettingForm): SettingForm[] =>
  schema.anyOf ? schema.anyOf.flatMap(formsOf) : [schema]

/**
 * What a setting makes of a value that was found in a room: numbers are kept within their limits, texts and lists are cut.
 * Undefined where it can make nothing of it. `isOfStudy`: nothing that participants entered is in it, so that an address may
 * lead anywhere; others lead to uploaded files and to paths of this server.
 */
export function settledValue(forms: readonly SettingForm[], value: unknown, isOfStudy: boolean): unknown {
  if (value === null || value === undefined) return undefined
  const settled = forms.map((form) => settledAs(form, value, isOfStudy))
  // A value that is right as it is comes before one that has to be changed.
  return settled.includes(value) ? value : settled.find((each) => each !== undefined)
}

function settledAs(form: SettingForm, value: unknown, isOfStudy: boolean): unknown {
  if (form.enum) return form.enum.includes(value) ? value : undefined
  if (form.const !== undefined) return form.const === value ? value : undefined
  switch (form.type) {
    case 'number':
    case 'integer':
      return typeof value === 'number' ? withinLimits(form, value) : undefined
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'string':
      return typeof value === 'string' || typeof value === 'number'
        ? settledText(form, String(value), isOfStudy)
        : undefined
    case 'array':
      return Array.isArray(value) ? settledList(form, value, isOfStudy) : undefined
    case 'object':
      return isRecord(value) ? settledObject(form, value, isOfStudy) : undefined
    default:
      return undefined
  }
}

function withinLimits(form: SettingForm, value: number): number | undefined {
  const { type, minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = form
  const whole = type === 'integer' ? Math.round(value) : value
  return whole > exclusiveMinimum ? Math.min(Math.max(whole, minimum), maximum) : undefined
}

const otherScheme = /^\s*(?!https?:)[a-z][a-z0-9+.-]*:/i
const otherHost = /^\s*(?:https?:|[\\/]{2})/i

/** As when a definition is saved: `javascript:` and the like never reach a page. Media that were uploaded are named so in tables. */
const mayBeAddress = (text: string, isOfStudy: boolean): boolean =>
  text.startsWith('media:') || (!otherScheme.test(text) && (isOfStudy || !otherHost.test(text)))

function settledText(form: SettingForm, value: string, isOfStudy: boolean): string | undefined {
  const { minLength = 0, pattern, 'x-text': format = 'plain' } = form
  // Markup comes from the definition alone.
  if (format !== 'plain') return undefined
  if (form['x-live'] === 'address' && !mayBeAddress(value, isOfStudy)) return undefined
  // What a value brings is never read as an expression later.
  const text = value.replaceAll('{{', '{ {').slice(0, form.maxLength ?? longestOf(pattern))
  return text.length < minLength || (pattern !== undefined && !new RegExp(pattern, 'u').test(text))
    ? undefined
    : text
}

/** Texts have their limit in their pattern, as in `^[…]{1,500}$`. */
const longestOf = (pattern = ''): number => Number(/\{\d+,(\d+)\}\$$/.exec(pattern)?.[1] ?? Infinity)

function settledList(
  { items, minItems = 0, maxItems = Infinity }: SettingForm,
  list: readonly unknown[],
  isOfStudy: boolean,
): unknown {
  const forms = items ? formsOf(items) : []
  const settled = withoutRepeats(
    list.slice(0, maxItems).flatMap((item) => settledValue(forms, item, isOfStudy) ?? []),
    forms,
  )
  if (settled.length < minItems) return undefined
  return settled.length === list.length && settled.every((item, at) => item === list[at]) ? list : settled
}

/** Of options, each value once: what is recorded would not say which of two was chosen. */
export function withoutRepeats(list: readonly unknown[], forms: readonly SettingForm[]): unknown[] {
  if (!forms.some((form) => form['x-live'] === 'value')) return [...list]
  const answerOf = (option: unknown) => (isRecord(option) ? option.value : option)
  return [...new Map(list.map((option) => [answerOf(option), option])).values()]
}

/** Conditions come from the definition alone, too. */
function settledObject(
  { properties = {}, required = [] }: SettingForm,
  value: Record<string, unknown>,
  isOfStudy: boolean,
): unknown {
  const fields = Object.entries(properties).flatMap(([name, form]): [string, unknown][] => {
    if (name === 'when' || !Object.hasOwn(value, name)) return []
    const settled = settledValue(formsOf(form), value[name], isOfStudy)
    return settled === undefined ? [] : [[name, settled]]
  })
  return required.every((name) => fields.some(([known]) => known === name))
    ? Object.fromEntries(fields)
    : undefined
}

/** Something that fits, where a setting is needed and no value can be: shown as a dash. `other` is something else that fits. */
export function standInFor(forms: readonly SettingForm[], which?: 'other'): unknown {
  const form = which ? forms.at(-1) : forms[0]
  if (!form) return undefined
  const { enum: words, const: only, type, minItems = 0, items, required = [], properties } = form
  if (words) return which ? words.at(-1) : words[0]
  if (only !== undefined) return only
  switch (type) {
    case 'number':
    case 'integer':
      return which ? withinLimits(form, 2) : (withinLimits(form, 0) ?? withinLimits(form, 1))
    case 'boolean':
      return which !== undefined
    case 'array':
      return Array.from({ length: which ? minItems + 1 : minItems }, () =>
        standInFor(items ? formsOf(items) : [], which),
      )
    case 'object':
      return Object.fromEntries(
        required.map((name) => [name, standInFor(formsOf(properties?.[name] ?? {}), which)]),
      )
    default:
      return which ? '…' : '–'
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
