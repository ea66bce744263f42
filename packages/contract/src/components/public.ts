import type { ComponentView } from '../room/view.ts'
import { componentTypeOf } from './catalogue.ts'
import type { Settings } from './component-type.ts'
import { judgedEntries } from './entries.ts'
import { targetsOf } from './for-each.ts'
import { withoutLiveValues } from './live-settings.ts'

/** Needed only by the server: who sees the component, where and when it is shown, and where its response is stored. */
const serverOnly: readonly string[] = ['roles', 'states', 'saveTo', 'when']

/**
 * Never sent, wherever it appears: a researcher may put an answer key on a type without scoring, or on an option, and
 * that mistake must not become a leak.
 */
const alwaysSecret = 'correct'

/** The component as participants see it: a deep copy without secrets. */
export function publicComponent(component: Settings): ComponentView {
  const { targets: _, ...whole } = component
  const targets = targetsOf(component)
  if (!targets) return publicPart(component)
  const each = targets.map((target) => ({ ...target, component: publicPart(target.component) }))
  return { ...publicPart(whole), targets: each }
}

function publicPart(component: Settings): ComponentView {
  const type = textOf(component.type)
  const secrets = componentTypeOf(type).secret.map((path) => path.split('/'))
  const shown = withoutSecrets(withoutLiveValues(withoutConditions(component)), [
    ...secrets,
    ...serverOnly.map((name) => [name]),
  ])
  return { ...shown, id: textOf(component.id), type }
}

/** What is left of a condition may be sent; the condition itself, as every expression, may name what participants must not know. */
const withoutConditions = (component: Settings): Settings =>
  judgedEntries(component, (when) => (typeof when === 'object' && when !== null ? when : true))

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A deep copy without the fields at these paths; `*` stands for any field, or for the entries of a list. */
export function withoutSecrets(value: Settings, secrets: readonly string[][]): Settings {
  const kept = Object.entries(value).filter(
    ([key]) => key !== alwaysSecret && !secrets.some((path) => path.length === 1 && isStep(path, key)),
  )
  return Object.fromEntries(kept.map(([key, child]) => [key, copyOf(child, below(secrets, key))]))
}

function copyOf(value: unknown, secrets: readonly string[][]): unknown {
  if (Array.isArray(value)) {
    const inside = below(secrets, '*')
    return value.map((child) => copyOf(child, inside))
  }
  return isObject(value) ? withoutSecrets(value, secrets) : value
}

const isObject = (value: unknown): value is Settings => typeof value === 'object' && value !== null

const isStep = ([step]: string[], key: string) => step === key || step === '*'

const below = (secrets: readonly string[][], key: string): string[][] =>
  secrets.filter((path) => path.length > 1 && isStep(path, key)).map((path) => path.slice(1))
