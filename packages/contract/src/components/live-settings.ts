import { componentTypeOf, isKnownType } from './catalogue.ts'
import type { ComponentType, Settings } from './component-type.ts'
import { formsOf, type SettingForm, settledValue, standInFor, withoutRepeats } from './settled-value.ts'

/** A setting whose value is found in the room, for each participant: `{"from": "expression"}`, or `{{expression}}`. */
export interface LiveSetting {
  /** A JSON pointer into the component, to the text. */
  path: string
  /** One expression, or a text with expressions in braces. */
  kind: 'expression' | 'template'
  text: string
  /** What the setting may be. */
  forms: readonly SettingForm[]
  /** Participants never receive it. */
  isSecret: boolean
  /** The component is not complete without it. */
  isNeeded: boolean
}

/** Where a setting is: what it may be, and what holds for it and everything in it. */
interface Place extends Pick<LiveSetting, 'path' | 'isSecret' | 'isNeeded'> {
  forms: readonly SettingForm[]
}

/** The component with something in place of each live setting; without those for which nothing is returned. */
function changeLiveSettings<Component extends Settings>(
  component: Component,
  change: (setting: LiveSetting) => unknown,
): Component {
  const { type: name } = component
  if (typeof name !== 'string' || !isKnownType(name)) return component
  const type = componentTypeOf(name)
  const isLiveHere = livePlacesOf(type)

  function changedAt(value: unknown, place: Place): unknown {
    const found = liveAt(value, place.forms, isLiveHere)
    if (found) return change({ ...place, ...found, path: place.path + (isFrom(value) ? '/from' : '') })
    if (Array.isArray(value)) return changedList(value, place)
    return isRecord(value) ? changedFields(value, place) : value
  }

  function changedList(list: unknown[], { forms, path, isSecret }: Place): unknown[] {
    const items = forms.flatMap((form) => (form.items ? formsOf(form.items) : []))
    const changed = list.map((item, at) =>
      changedAt(item, { forms: items, path: `${path}/${at}`, isSecret, isNeeded: true }),
    )
    return changed.every((item, at) => item === list[at]) ? list : withoutRepeats(changed, items)
  }

  function changedFields(value: Settings, { forms, path, isSecret }: Place): Settings {
    const changed = Object.entries(value).map(([name, child]): [string, unknown] => {
      if (isPlain(child)) return [name, child]
      const holders = forms.filter(({ properties = {} }) => Object.hasOwn(properties, name))
      const known = holders.flatMap(({ properties = {} }) => properties[name] ?? [])
      if (known.length === 0) return [name, child]
      return [
        name,
        changedAt(child, {
          forms: known.flatMap(formsOf),
          path: `${path}/${escaped(name)}`,
          isSecret: isSecret || known.some(({ writeOnly }) => writeOnly),
          isNeeded: holders.every(({ required = [] }) => required.includes(name)),
        }),
      ]
    })
    return changed.every(([name, child]) => child === value[name])
      ? value
      : Object.fromEntries(changed.filter(([, child]) => child !== undefined))
  }

  const whole: Place = { forms: formsOf(type.settings), path: '', isSecret: false, isNeeded: true }
  return changedFields(component, whole) as Component
}

/** A value for a live setting, and whether anything that participants entered may be in it. */
export interface FoundValue {
  value: unknown
  isOfStudy: boolean
}

/** The component with these values, as far as its settings accept them. */
export const withLiveValues = <Component extends Settings>(
  component: Component,
  found: (setting: LiveSetting) => FoundValue,
): Component =>
  changeLiveSettings(component, (setting) => {
    const { value, isOfStudy } = found(setting)
    return (
      settledValue(setting.forms, value, isOfStudy) ??
      (setting.isNeeded ? standInFor(setting.forms) : undefined)
    )
  })

/** The component before any values are known. */
export const withoutLiveValues = <Component extends Settings>(component: Component): Component =>
  withLiveValues(component, () => ({ value: null, isOfStudy: true }))

/** The component as if each live setting had a value that fits, for checks of all others. */
export const withStandIns = <Component extends Settings>(component: Component, which?: 'other'): Component =>
  changeLiveSettings(component, ({ forms }) => standInFor(forms, which))

export function liveSettingsOf(component: Settings): LiveSetting[] {
  const found: LiveSetting[] = []
  changeLiveSettings(component, (setting) => {
    found.push(setting)
  })
  return found
}

const oneInsert = /^\s*\{\{((?:[^{}'"]|'[^']*'|"[^"]*")*)\}\}\s*$/

/** After one bar; two belong to the expression. */
const hasFormat = (insert: string): boolean => insert.replaceAll('||', '').includes('|')

function liveAt(
  value: unknown,
  forms: readonly SettingForm[],
  isLiveHere: (form: SettingForm) => boolean,
): Pick<LiveSetting, 'kind' | 'text'> | undefined {
  const live = forms.filter(isLiveHere)
  if (live.length === 0) return undefined
  if (isFrom(value))
    return forms.some(({ properties }) => properties?.from !== undefined)
      ? undefined
      : { kind: 'expression', text: value.from }
  const isText = forms.some((form) => form['x-text'] !== undefined)
  if (typeof value !== 'string' || isText || !value.includes('{{')) return undefined
  const [, only] = oneInsert.exec(value) ?? []
  if (only !== undefined && !hasFormat(only)) return { kind: 'expression', text: only }
  return live.some((form) => form['x-live'] !== undefined) ? { kind: 'template', text: value } : undefined
}

/** What of a setting's form decides whether it may come from a value. */
type Annotated = { readonly [Name in 'x-text' | 'x-live' | 'enum' | 'type']?: unknown }

/** Texts have values in braces. Ids and patterns have none: what they refer to is checked when the definition is saved. */
const mayBeLive = (form: Annotated): boolean =>
  form['x-text'] === undefined &&
  (form['x-live'] !== undefined ||
    form.enum !== undefined ||
    (form.type !== undefined && form.type !== 'string'))

/** Which settings of a type may come from values. What plays is followed by the server, by its settings as they are written. */
export const livePlacesOf =
  ({ plays }: Pick<ComponentType, 'plays'>) =>
  (form: Annotated): boolean =>
    mayBeLive(form) && (plays === null || form['x-live'] !== undefined)

/** Most settings: a component may be settled for everybody about everybody else. */
const isPlain = (value: unknown): boolean =>
  typeof value === 'string' ? !value.includes('{{') : typeof value !== 'object'

const isFrom = (value: unknown): value is { from: string } =>
  isRecord(value) && typeof value.from === 'string' && Object.keys(value).length === 1

const isRecord = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** RFC 6901. */
const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
