import {
  type ComponentView,
  componentTypeOf,
  isRequired,
  type RoomSnapshot,
  responseSchemaOf,
} from '@atrium/contract'
import { Value } from 'typebox/value'
import { texts } from '../../text/participant.ts'
import { views } from '../views/catalogue.ts'

/** Sent together with the page’s button. All other types send by themselves, when something has happened. */
export const isForm = ({ type }: ComponentView): boolean => componentTypeOf(type).sentBy === 'page_button'

/** By component id; what is not there is not answered. */
export type Drafts = Readonly<Record<string, unknown>>

type Self = RoomSnapshot['self']

/** Final, so that it is shown but not changed. A failed check with attempts left is open again. */
export function isAnswered(component: ComponentView, { responses, results }: Self): boolean {
  if (componentTypeOf(component.type).responds !== 'once' || !Object.hasOwn(responses, component.id))
    return false
  const result = results[component.id]
  if (typeof result !== 'object' || result === null || !('attemptsLeft' in result)) return true
  return ('passed' in result && result.passed === true) || result.attemptsLeft === 0
}

/** Why a draft cannot be sent as it is; undefined when it can. */
export function problemWith(component: ComponentView, draft: unknown): string | undefined {
  if (draft === undefined) return isRequired(component) ? texts().problems.unanswered : undefined
  const schema = responseSchemaOf(component)
  return schema === undefined || Value.Check(schema, draft) ? undefined : howToFix(component)
}

const howToFix = (component: ComponentView): string =>
  views.get(component.type)?.howToFix?.(component) ?? texts().problems.incomplete

/** What pressing the page’s button means now. */
export interface Sending {
  /** Drafts that are complete and not sent yet. */
  answers: { component: ComponentView; value: unknown }[]
  problems: Readonly<Record<string, string>>
  /** Required, and given by doing something on the page rather than by the button. */
  missing: ComponentView[]
}

export function planSending(components: readonly ComponentView[], drafts: Drafts, self: Self): Sending {
  const open = components.filter((component) => !isAnswered(component, self))
  const forms = open.filter(isForm)
  const problems = forms.flatMap((component) => {
    const problem = problemWith(component, drafts[component.id])
    return problem === undefined ? [] : [[component.id, problem] as const]
  })
  return {
    answers: forms
      .filter(({ id }) => drafts[id] !== undefined && !problems.some(([other]) => other === id))
      .map((component) => ({ component, value: drafts[component.id] })),
    problems: Object.fromEntries(problems),
    missing: open.filter(
      (component) =>
        !isForm(component) && isRequired(component) && !Object.hasOwn(self.responses, component.id),
    ),
  }
}
