import type { ExperimentDefinition } from '../definition/definition.ts'
import { changeTexts } from '../definition/texts.ts'
import { mediaNamePrefix } from '../media/media-files.ts'
import type { Settings } from './component-type.ts'
import { conditionsOfEntries } from './entries.ts'
import { liveSettingsOf } from './live-settings.ts'
import { type MediaUse, mediaNamesInExpression, stepOf } from './media-names.ts'

type State = ExperimentDefinition['states'][number]

/** What a state assigns to variables: a setting may show it later. */
export const mediaNamesOfAssignments = (
  state: State,
  path: string,
  isTold: (variable: string) => boolean,
): MediaUse[] =>
  (['onEnter', 'onEnd'] as const).flatMap((moment) =>
    Object.entries(state[moment] ?? {}).flatMap(([name, expression]) =>
      isTold(name) ? mediaNamesInExpression(expression, `${path}/${moment}${stepOf(name)}`) : [],
    ),
  )

/** What settings show that come from values, as in `{"from": "round == 1 ? 'media:one.png' : 'media:two.png'"}`. */
export function mediaNamesOfSettings(component: Settings, path: string, withSecrets: boolean): MediaUse[] {
  // Every participant asks, and few of thousands of components name a file.
  if (!mentionsMedia(component)) return []
  return liveSettingsOf(component).flatMap(({ text, path: at, isSecret }) =>
    isSecret && !withSecrets ? [] : mediaNamesInExpression(text, path + at),
  )
}

const mentionsMedia = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes(mediaNamePrefix)
    : typeof value === 'object' && value !== null && Object.values(value).some(mentionsMedia)

/** What is only compared with, or written into texts, shows no file. A name in it that nobody has is a mistake all the same. */
export const mediaNamesCompared = (definition: ExperimentDefinition): MediaUse[] => [
  ...definition.states.flatMap((state, at) => namesInState(state, `/states/${at}`)),
  ...(definition.globalComponents ?? []).flatMap((component, at) =>
    namesInConditions(component, `/globalComponents/${at}`),
  ),
  ...(definition.blocks ?? []).flatMap(({ when, until, trials }, at) => [
    ...namesIn(when, `/blocks/${at}/when`),
    ...namesIn(until, `/blocks/${at}/until`),
    ...namesIn(trials?.where, `/blocks/${at}/trials/where`),
    ...namesIn(trials?.until, `/blocks/${at}/trials/until`),
  ]),
  ...namesInTexts(definition),
]

const namesInState = ({ end, next = [], components }: State, path: string): MediaUse[] => [
  ...(end?.on === 'condition' ? namesIn(end.when, `${path}/end/when`) : []),
  ...next.flatMap(({ when }, at) => namesIn(when, `${path}/next/${at}/when`)),
  ...components.flatMap((component, at) => namesInConditions(component, `${path}/components/${at}`)),
]

function namesInConditions(component: Settings & { when?: string }, path: string): MediaUse[] {
  if (!mentionsMedia(component)) return []
  return [
    ...namesIn(component.when, `${path}/when`),
    ...conditionsOfEntries(component).flatMap(({ path: at, when }) => namesIn(when, path + at)),
  ]
}

const namesIn = (expression: string | undefined, path: string): MediaUse[] =>
  expression === undefined ? [] : mediaNamesInExpression(expression, path)

/** Up to the braces that close it; what stands in quotes closes nothing. */
const inserts = /\{\{((?:[^}'"]|'[^']*'|"[^"]*")*)\}\}/g

function namesInTexts(definition: ExperimentDefinition): MediaUse[] {
  const found: MediaUse[] = []
  changeTexts(definition, (given, { path, isInRoom, isDeclared, format }) => {
    // Elsewhere nothing in braces is a value.
    if (isInRoom && isDeclared && format !== 'html')
      for (const text of typeof given === 'string' ? [given] : Object.values(Object(given)))
        for (const [, insert = ''] of String(text).matchAll(inserts))
          found.push(...mediaNamesInExpression(insert, path))
    return given
  })
  return found
}
