import type { ComponentView } from '@atrium/contract'
import { isRequired, type Target } from '@atrium/contract/components'
import { views } from '../views/catalogue.ts'
import { UnknownView } from '../views/stand-ins.tsx'
import type { ViewProps } from '../views/view.ts'
import { problemWith } from './answering.ts'
import { namesOf } from './names.ts'
import './asked-for-each.css'

interface AskedForEachProps extends Omit<ViewProps, 'onDraft'> {
  targets: readonly Target[]
  onDraft(change: (before: unknown) => unknown): void
}

/** R62: a question about each other member of the room: as many groups as there are members, each with the name of one. */
export function AskedForEach({ targets, onDraft, ...props }: AskedForEachProps) {
  const { component, scene, draft, recorded, problem } = props
  const View = views.get(component.type) ?? UnknownView
  const names = namesOf(scene.others)
  return targets.map(({ alias, component: settings }) => {
    const about = viewAbout(component, settings)
    return (
      <fieldset key={alias} className="for-each">
        <legend dir="auto">{names.get(alias)?.name ?? alias}</legend>
        <View
          {...props}
          component={about}
          draft={answerIn(draft, alias)}
          recorded={answerIn(recorded, alias)}
          problem={problem === undefined ? undefined : problemWith(about, answerIn(draft, alias))}
          onDraft={(value) => onDraft((before) => withAnswer(before, alias, value))}
        />
      </fieldset>
    )
  })
}

/** Whether an answer is awaited is said of the whole. */
const viewAbout = (whole: ComponentView, settings: object): ComponentView => ({
  ...settings,
  id: whole.id,
  type: whole.type,
  required: isRequired(whole),
})

function answerIn(answers: unknown, alias: string): unknown {
  const found = Object.entries(Object(answers)).find(([name]) => name === alias)
  return found?.[1]
}

/** Without any answer there is no draft. */
function withAnswer(before: unknown, alias: string, value: unknown): unknown {
  const others = Object.entries(Object(before)).filter(([name]) => name !== alias)
  const answers = value === undefined ? others : [...others, [alias, value] as const]
  return answers.length === 0 ? undefined : Object.fromEntries(answers)
}
