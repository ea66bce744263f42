import type { Component, ExperimentDefinition, ValidationIssue } from '@atrium/contract'
import { type LiveSetting, liveSettingsOf } from '@atrium/contract/components'
import { fieldReadAt, nodesIn, parseExpression, parseTemplate, staticTypeOf } from '@atrium/expressions'
import type { DeclaredNames } from './definition-names.ts'
import { finding, maxFindings, pointer } from './findings.ts'
import type { PlacedExpression } from './placed-expression.ts'
import { sourcesOfMembers } from './sources.ts'

// F58: settings whose values are found in the room.

interface PlacedSetting extends Pick<LiveSetting, 'kind' | 'text' | 'forms' | 'isSecret'> {
  path: string
  stateId?: string
  component: Component
}

export const settingsFromValues = ({
  states,
  globalComponents = [],
}: ExperimentDefinition): PlacedSetting[] => [
  ...states.flatMap(({ id: stateId, components }, at) =>
    components.flatMap((one, index) =>
      settingsOf(one, pointer('states', at, 'components', index)).map((placed) => ({ ...placed, stateId })),
    ),
  ),
  ...globalComponents.flatMap((one, index) => settingsOf(one, pointer('globalComponents', index))),
]

const settingsOf = (component: Component, at: string): PlacedSetting[] =>
  liveSettingsOf(component).map((setting) => ({ ...setting, path: at + setting.path, component }))

/** Each is found for one participant. */
export const expressionsInSettings = (settings: readonly PlacedSetting[]): PlacedExpression[] =>
  settings.flatMap(({ kind, path, text, stateId, component }) =>
    textsOf(kind, text).map((expression) => ({
      path,
      text: expression,
      isRoomWide: false,
      component,
      ...(stateId !== undefined && { stateId }),
    })),
  )

function textsOf(kind: LiveSetting['kind'], text: string): string[] {
  if (kind === 'expression') return [text]
  const parsed = parseTemplate(text)
  if (!parsed.ok) return []
  return parsed.template.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.expression.text]))
}

/** What the expressions themselves do not tell: whether the setting can take what they give, and may show it. */
export function settingValueIssues(
  settings: readonly PlacedSetting[],
  { variables, sources }: DeclaredNames,
): ValidationIssue[] {
  const isHidden = (name: string): boolean => variables.get(name)?.secret === true
  return settings
    .flatMap(({ kind, path, text, forms, isSecret }) => {
      const template = kind === 'template' ? parseTemplate(text) : undefined
      const messages = template?.ok === false ? [template.message] : []
      if (kind === 'expression') messages.push(...typeIssue(text, forms))
      if (!isSecret)
        messages.push(
          ...textsOf(kind, text)
            .flatMap((expression) => namesReadBy(expression, sources))
            .filter(isHidden)
            .map((name) => `variable ‘${name}’ is secret, so participants cannot see it`),
        )
      return messages.map((message) => finding(path, message))
    })
    .slice(0, maxFindings)
}

function namesReadBy(text: string, sources: DeclaredNames['sources']): string[] {
  const parsed = parseExpression(text)
  if (!parsed.ok) return []
  return [...nodesIn(parsed.expression.root)].flatMap((node) => {
    const read = fieldReadAt(node)
    if (node.kind === 'variable') return [node.name]
    return read && sources.has(read.source) && sourcesOfMembers.includes(read.source) ? [read.name] : []
  })
}

type Form = LiveSetting['forms'][number]

function typeIssue(text: string, forms: readonly Form[]): string[] {
  const parsed = parseExpression(text)
  if (!parsed.ok) return []
  const type = staticTypeOf(parsed.expression.root)
  const taken = [...new Set(forms.flatMap(takenBy))]
  if (type === 'unknown' || type === 'null' || taken.includes(type)) return []
  return [`needs ${taken.map((one) => inWords[one]).join(' or ')}, but the expression gives ${inWords[type]}`]
}

type Taken = keyof typeof inWords
const inWords = {
  number: 'a number',
  text: 'text',
  boolean: 'true or false',
  list: 'a list',
  object: 'an object',
}

function takenBy({ type, enum: words, const: only }: Form): Taken[] {
  if (words || only !== undefined)
    return [...(words ?? [only])].map((word) =>
      typeof word === 'number' ? 'number' : typeof word === 'boolean' ? 'boolean' : 'text',
    )
  switch (type) {
    case 'number':
    case 'integer':
      return ['number']
    case 'string':
      return ['text', 'number']
    case 'boolean':
      return ['boolean']
    case 'array':
      return ['list']
    case 'object':
      return ['object']
    default:
      return []
  }
}
