import { type TObject, type TSchema, Type } from 'typebox'
import type { ComponentType, Evaluation, Settings } from './component-type.ts'

// R62: components that are asked once for each other member of the room.

/** Somebody who is asked about, and the component with the texts and settings that it has for them. */
export interface Target {
  alias: string
  component: Settings
}

/** Whether the type can be asked about several people: its answer is entered on the page, and is no file. */
export const canBeAskedForEach = ({
  responds,
  sentBy,
  takesFile,
}: Pick<ComponentType, 'responds' | 'sentBy' | 'takesFile'>): boolean =>
  responds === 'once' && sentBy === 'page_button' && !takesFile

export const isForEach = ({ forEach }: Settings): boolean => forEach === 'others' || forEach === 'neighbours'

/** Whom it asks about in a room; undefined for components that ask nothing of the kind, and outside rooms. */
export function targetsOf(component: Settings): readonly Target[] | undefined {
  const { targets } = component
  return isForEach(component) && Array.isArray(targets) ? targets.filter(isTarget) : undefined
}

const isTarget = (value: unknown): value is Target =>
  typeof value === 'object' &&
  value !== null &&
  'alias' in value &&
  typeof value.alias === 'string' &&
  'component' in value &&
  typeof value.component === 'object' &&
  value.component !== null

const description = 'An answer for each other member of the room, by alias'

/** Of responses to it in a room. `isWhole`: everybody must be answered about. */
export const schemaByAlias = (
  targets: readonly Target[],
  isWhole: boolean,
  schemaOf: (component: Settings) => TSchema,
): TObject =>
  Type.Object(
    Object.fromEntries(
      targets.map(({ alias, component }) => {
        const schema = { ...schemaOf(component), title: alias } as TSchema
        return [alias, isWhole ? schema : Type.Optional(schema)]
      }),
    ),
    { title: 'Answers by alias', description, additionalProperties: false, minProperties: 1 },
  )

/** Of responses to it in any room. */
export const schemaForAnyone = (schema: TSchema): TSchema => ({
  ...{ type: 'object', title: 'Answers by alias', description },
  additionalProperties: schema,
})

/** Everything that was answered, in the order of the targets; refused if one of the answers is. */
export function evaluateEach(
  targets: readonly Target[],
  value: unknown,
  evaluate: (component: Settings, value: unknown) => Evaluation,
): Evaluation {
  const recorded: [alias: string, answer: unknown][] = []
  for (const [{ alias, component }, answer] of answersAbout(targets, value)) {
    const evaluation = evaluate(component, answer)
    if (evaluation.kind === 'refused')
      return { kind: 'refused', message: `About ${alias}: ${evaluation.message}` }
    recorded.push([alias, evaluation.recorded ?? answer])
  }
  return { kind: 'accepted', isFinal: true, recorded: Object.fromEntries(recorded) }
}

export function refusalOfEach(
  targets: readonly Target[],
  value: unknown,
  refusal: (component: Settings, value: unknown) => string | undefined,
): string | undefined {
  const refused = answersAbout(targets, value).flatMap(([{ alias, component }, answer]) => {
    const message = refusal(component, answer)
    return message === undefined ? [] : [`About ${alias}: ${message}`]
  })
  return refused[0]
}

function answersAbout(targets: readonly Target[], value: unknown): [Target, unknown][] {
  if (typeof value !== 'object' || value === null) return []
  const answers = new Map(Object.entries(value))
  return targets.flatMap((target): [Target, unknown][] =>
    answers.has(target.alias) ? [[target, answers.get(target.alias)]] : [],
  )
}
