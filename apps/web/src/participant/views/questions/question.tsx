import { componentTypeOf, isRequired } from '@atrium/contract/components'
import { useId } from 'react'
import { texts } from '../../../text/participant.ts'
import type { ViewProps } from '../view.ts'
import { Problem } from './problem.tsx'
import './questions.css'

interface Asked {
  props: ViewProps
  label: string | undefined
  help: string | undefined
  /** What an answer must look like, e.g. “Choose two”. */
  hint?: string | undefined
}

export interface QuestionIds {
  label: string
  /** For `aria-describedby`: the ids of help, hint and problem, if present. */
  describedBy: string | undefined
}

interface QuestionProps extends Asked {
  /** A group of controls has a legend; a single control has a label. */
  isGroup: boolean
  children(ids: QuestionIds): React.ReactNode
}

/** The frame of every question: its label, help and hint, the problem, and the button that clears the answer. */
export function Question({ props, label, help, hint, isGroup, children }: QuestionProps) {
  const id = useId()
  const { component, problem } = props
  const parts = { help, hint, problem }
  const described = Object.entries(parts).filter(([, text]) => text !== undefined && text !== '')
  const describedBy = described.map(([name]) => `${id}-${name}`).join(' ') || undefined
  const ids = { label: `${id}-label`, describedBy }
  const Frame = isGroup ? 'fieldset' : 'div'
  const Label = isGroup ? 'legend' : 'label'
  return (
    <Frame
      className="question"
      data-problem={problem !== undefined || undefined}
      aria-describedby={isGroup ? describedBy : undefined}
    >
      <Label
        className={label === undefined ? 'visually-hidden' : 'question-label'}
        id={ids.label}
        dir="auto"
        {...(!isGroup && { htmlFor: `${id}-label-control` })}
      >
        {label ?? componentTypeOf(component.type).title}
        {isOptional(component) && <span className="optional"> {texts().views.question.optional}</span>}
      </Label>
      {help !== undefined && help !== '' && <Line id={`${id}-help`} className="help" text={help} />}
      {hint !== undefined && hint !== '' && <Line id={`${id}-hint`} className="hint" text={hint} />}
      <div className="answer">{children(ids)}</div>
      {problem !== undefined && <Problem id={`${id}-problem`}>{problem}</Problem>}
      <ClearAnswer {...props} />
    </Frame>
  )
}

/** A stream of ratings is never required, so it is not marked as optional either. */
const isOptional = (component: ViewProps['component']) =>
  componentTypeOf(component.type).responds === 'once' && !isRequired(component)

const Line = ({ id, className, text }: { id: string; className: string; text: string }) => (
  <p id={id} className={className} dir="auto">
    {text}
  </p>
)

/** A radio button cannot be unchecked, so an optional question needs a way to clear the answer. */
function ClearAnswer({ component, draft, onDraft, isLocked, recorded }: ViewProps) {
  if (!isOptional(component)) return null
  // Keeps its place while there is nothing to clear: the page must not move at the first answer.
  const isAway = draft === undefined || recorded !== undefined || isLocked
  return (
    <button
      type="button"
      className={isAway ? 'link-button is-away' : 'link-button'}
      disabled={isAway}
      onClick={() => onDraft(undefined)}
    >
      {texts().views.question.clear}
    </button>
  )
}
