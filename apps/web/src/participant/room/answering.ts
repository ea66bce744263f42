import type { ComponentView, RoomSnapshot } from '@atrium/contract'
import { componentTypeOf, isRequired, refusalOf, responseSchemaOf } from '@atrium/contract/components'
import { Check } from 'typebox/schema'
import { texts } from '../../text/participant.ts'
import { views } from '../views/catalogue.ts'
import type { Drafts } from './typed.ts'

/** Whether the page’s button sends it. All other types send their responses themselves, as they happen. */
export const isForm = ({ type }: ComponentView): boolean => componentTypeOf(type).sentBy === 'page_button'

type Self = RoomSnapshot['self']

/** Whether the answer is final: shown, but read-only. A failed check with attempts left can be answered again. */
export function isAnswered(component: ComponentView, { responses, results }: Self): boolean {
  if (componentTypeOf(component.type).responds !== 'once' || !Object.hasOwn(responses, component.id))
    return false
  const result = results[component.id]
  if (typeof result !== 'object' || result === null || !('attemptsLeft' in result)) return true
  return ('passed' in result && result.passed === true) || result.attemptsLeft === 0
}

/** Whether the server’s verdict is shown: people must be able to read it before the study goes on. */
export const tellsVerdict = (component: ComponentView): boolean =>
  componentTypeOf(component.type).isCheck || component.feedback === true

/** Why a draft cannot be sent as it is; undefined if it can. */
export function problemWith(component: ComponentView, draft: unknown): string | undefined {
  if (draft === undefined) return isRequired(component) ? texts().problems.unanswered : undefined
  const schema = responseSchemaOf(component)
  const isComplete = schema === undefined || Check(schema, draft)
  if (isComplete && refusalOf(component, draft) === undefined) return undefined
  return views.get(component.type)?.howToFix?.(component, draft) ?? texts().problems.incomplete
}

/**
 * Whether this participant has done something here and only the others are still awaited. A video that has not ended is
 * something to watch, so it counts as done only if the page’s questions have been sent meanwhile.
 */
export function isPartDone(components: readonly ComponentView[], self: Self): boolean {
  if (!components.some(({ id }) => Object.hasOwn(self.responses, id))) return false
  const open = components.filter((component) => !isAnswered(component, self))
  if (open.some(isForm) || missingAmong(open, self).length > 0) return false
  const isPlaying = open.some(({ type }) => componentTypeOf(type).plays !== null)
  return !isPlaying || components.some(isForm)
}

/** Required components that are still unanswered and are not sent by the page’s button. */
const missingAmong = (open: readonly ComponentView[], { responses }: Self): ComponentView[] =>
  open.filter(
    (component) => !isForm(component) && isRequired(component) && !Object.hasOwn(responses, component.id),
  )

/** What pressing the page’s button would do now. */
export interface Sending {
  /** Drafts that are complete and not sent yet. */
  answers: { component: ComponentView; value: unknown }[]
  problems: Readonly<Record<string, string>>
  /** Required components that are still unanswered and are not sent by the page’s button. */
  missing: ComponentView[]
}

/** `reads`: the components on whose answers it depends whether this one is shown. */
export function planSending(
  components: readonly ComponentView[],
  drafts: Drafts,
  self: Self,
  reads: (id: string) => Iterable<string> = () => [],
): Sending {
  const open = components.filter((component) => !isAnswered(component, self))
  const forms = open.filter(isForm)
  const problems = forms.flatMap((component) => {
    const problem = problemWith(component, drafts[component.id])
    return problem === undefined ? [] : [[component.id, problem] as const]
  })
  const complete = forms.filter(
    ({ id }) => drafts[id] !== undefined && !problems.some(([other]) => other === id),
  )
  const optional = complete.filter((component) => !isRequired(component))
  return {
    // The last required answer may end the state, which would take no more.
    answers: inOrder([...optional, ...complete.filter(isRequired)], reads).map((component) => ({
      component,
      value: drafts[component.id],
    })),
    problems: Object.fromEntries(problems),
    missing: missingAmong(open, self),
  }
}

/** R61: the room takes an answer once it has those that decide whether the question is shown. */
function inOrder(
  components: readonly ComponentView[],
  reads: (id: string) => Iterable<string>,
): readonly ComponentView[] {
  const waiting = new Map(components.map((component) => [component.id, component]))
  const ordered: ComponentView[] = []
  const place = (component: ComponentView): void => {
    if (!waiting.delete(component.id)) return
    for (const id of reads(component.id)) {
      const first = waiting.get(id)
      if (first) place(first)
    }
    ordered.push(component)
  }
  components.forEach(place)
  return ordered
}
