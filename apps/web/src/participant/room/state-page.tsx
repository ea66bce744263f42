import { type ComponentView, otherCountIn, type RoomSnapshot, type StateView } from '@atrium/contract'
import { componentTypeOf } from '@atrium/contract/components'
import { type FormEvent, type MouseEvent, memo, useContext, useEffect, useRef, useState } from 'react'
import { texts } from '../../text/participant.ts'
import { PageTitle } from '../frame/page-title.tsx'
import { StudyBrandingContext } from '../frame/study-branding.ts'
import { refusalTextOf } from '../refusal-text.ts'
import { Markdown } from '../views/display/markdown.tsx'
import type { Scene, WayOnWithout } from '../views/view.ts'
import { isAnswered, isForm, isPartDone, tellsVerdict } from './answering.ts'
import { Appeared } from './appeared.tsx'
import { ComponentHost } from './component-host.tsx'
import { isLongPage } from './long-page.ts'
import { readinessOf } from './others.ts'
import type { RoomActions } from './room-actions.ts'
import { SteadyPlace } from './steady-place.tsx'
import { useAnswers } from './use-answers.ts'

interface StatePageProps {
  view: RoomSnapshot
  state: StateView
  actions: RoomActions
  scene: Scene
}

/** One visit to one state: its components and the button to continue. Mounted again for every visit. */
export function StatePage({ view, state, actions, scene }: StatePageProps) {
  const { self } = view
  const answers = useAnswers(view, state, actions)
  const { shown } = answers
  const [problem, setProblem] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const refuseForeignPress = useOwnPresses()
  const gateNow = useGate(view, { ...state, components: [...shown] }, actions, setProblem)
  const hasLeftOut = shown.some((component) => answers.wayOnWithout(component)?.isTaken)
  // Its own button will not be pressed.
  const gate = hasLeftOut ? 'none' : gateNow

  async function goOn(event: FormEvent): Promise<void> {
    event.preventDefault()
    setProblem(null)
    const getsVerdict = shown.some(
      (component) =>
        isOpen(component) && tellsVerdict(component) && answers.drafts[component.id] !== undefined,
    )
    if (!(await answers.sendAll())) return showFirstProblem(form.current)
    // Now there is something to read; the next press goes on.
    if (state.endsOn === 'button' && !getsVerdict)
      await actions.ready(state.visit).catch((error: unknown) => setProblem(refusalTextOf(error)))
  }

  const isDone = self.ready || self.status !== 'active'
  const isOpen = (component: ComponentView) => isForm(component) && !isAnswered(component, self)
  const hasOpenForms = shown.some(isOpen)
  const endsByButton = state.endsOn === 'button'
  return (
    <form
      ref={form}
      className="state"
      data-long={isLongPage(shown) ? true : undefined}
      onSubmit={goOn}
      onClickCapture={refuseForeignPress}
      noValidate
    >
      <Title state={state} />
      {state.instructions && (
        <div className="state-instructions">
          <Markdown text={state.instructions} />
        </div>
      )}
      {state.isWaiting && <p className="quiet">{texts().state.othersBusy}</p>}
      {shown.map((component) => (
        <Part
          key={component.id}
          {...{ component, scene, self, actions }}
          visit={state.visit}
          isSending={answers.isSending}
          draft={answers.drafts[component.id]}
          onDraft={answers.onDraft}
          problem={answers.problems[component.id]}
          wayOn={answers.wayOnWithout(component)}
        />
      ))}
      <Appeared shown={shown} />
      <SteadyPlace within={form} parts={shown} />
      <WayOn
        problem={problem}
        label={endsByButton ? (state.buttonLabel ?? texts().state.continue) : texts().state.submit}
        isOffered={!state.isWaiting && !isDone && gate !== 'closed' && (endsByButton || hasOpenForms)}
        isBusy={answers.isSending || scene.isStill}
        waitsForOthers={!state.isWaiting && (isDone || isPartDone(shown, self)) && otherCountIn(view) > 0}
        readiness={endsByButton ? readinessOf(view) : undefined}
      />
    </form>
  )
}

interface PartProps extends Pick<StatePageProps, 'actions' | 'scene'> {
  component: ComponentView
  self: RoomSnapshot['self']
  visit: number
  isSending: boolean
  draft: unknown
  onDraft(id: string, value: unknown): void
  problem: string | undefined
  wayOn: WayOnWithout | undefined
}

/** One component of the page; on a long page, a key in one question must not render all others. */
const Part = memo(function Part({ actions, visit, onDraft, ...shown }: PartProps) {
  const { id } = shown.component
  const times = actions.timesIn(visit)
  return (
    <ComponentHost
      {...shown}
      times={times}
      onDraft={(value) => onDraft(id, value)}
      send={(value) => actions.answer(visit, id, value, times?.timingOf(id) ?? {})}
    />
  )
})

/**
 * A page that only asks for consent or a check has its own button; a second one would ask for the same thing again. After
 * a consent the study goes on by itself; after a check the gate is open, and participants go on when they have read how
 * they did.
 */
function useGate(
  { self }: RoomSnapshot,
  { components, endsOn, visit }: StateView,
  actions: RoomActions,
  onProblem: (problem: string) => void,
): 'none' | 'closed' | 'open' {
  const isGate = components.length > 0 && components.every(isSentByOwnButton)
  const isPassed = isGate && components.every((component) => isAnswered(component, self))
  const hasVerdict = components.some(tellsVerdict)
  useEffect(() => {
    if (!isPassed || hasVerdict || endsOn !== 'button' || self.ready) return
    actions.ready(visit).catch((error: unknown) => onProblem(refusalTextOf(error)))
  }, [isPassed, hasVerdict, endsOn, visit, self.ready, actions, onProblem])
  if (!isGate) return 'none'
  return isPassed && hasVerdict ? 'open' : 'closed'
}

function isSentByOwnButton(component: ComponentView): boolean {
  const { sentBy, asks } = componentTypeOf(component.type)
  return sentBy === 'own_button' && asks(component)
}

function Title({ state: { name, isWaiting, round, rounds } }: { state: StateView }) {
  const study = useContext(StudyBrandingContext)
  // A state without a name still has a heading, for those who find their way by headings.
  if (name === null && !isWaiting && round === null) return <PageTitle isHidden>{study?.name}</PageTitle>
  return (
    <PageTitle>
      {name ?? (isWaiting ? texts().state.pleaseWait : study?.name)}
      {round !== null && rounds !== null && rounds > 1 && (
        <small className="round">{texts().state.round(round, rounds)}</small>
      )}
    </PageTitle>
  )
}

interface WayOnProps {
  problem: string | null
  label: string
  isOffered: boolean
  isBusy: boolean
  waitsForOthers: boolean
  /** How many are ready, where that is known. */
  readiness: { ready: number; of: number } | undefined
}

/** Always in the same place, and as high with the button as with what takes its place. */
function WayOn({ problem, label, isOffered, isBusy, waitsForOthers, readiness }: WayOnProps) {
  return (
    <div className="action" data-empty={!isOffered && !waitsForOthers && problem === null ? true : undefined}>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {isOffered && (
        <button type="submit" className="button way-on" disabled={isBusy}>
          {label}
        </button>
      )}
      {/* There from the start: screen readers announce what changes in it, not that it appears. */}
      <p className="action-status" role="status">
        {!isOffered && waitsForOthers && savedText(readiness)}
      </p>
    </div>
  )
}

const savedText = (readiness: WayOnProps['readiness']): string =>
  readiness
    ? `${texts().state.saved} ${texts().state.readyOf(readiness.ready, readiness.of)}`
    : texts().state.saved

function showFirstProblem(form: HTMLFormElement | null): void {
  // Wait until React has rendered the problems.
  requestAnimationFrame(() => {
    const place = form?.querySelector('.problem')?.closest('.component')
    // Browsers scroll smoothly when told to, even for people who want no motion.
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    // What a long page has not laid out yet has another height once it is on the screen, so that a way there ends elsewhere.
    const isLong = form?.dataset.long !== undefined
    const show = () =>
      place?.scrollIntoView({ block: 'center', behavior: isStill || isLong ? 'instant' : 'smooth' })
    show()
    if (isLong) requestAnimationFrame(show)
    place
      ?.querySelector<HTMLElement>('input, select, textarea, button, [tabindex="0"]')
      ?.focus({ preventScroll: true })
  })
}

/**
 * Refuses presses that continue a double click on the page before: its second press would leave, or answer, a page that
 * nobody has seen. Browsers count presses at one place (`detail`), whatever has come to be there meanwhile; keys count 0.
 */
function useOwnPresses(): (event: MouseEvent) => void {
  const hasBegun = useRef(false)
  return (event) => {
    if (event.detail <= 1) hasBegun.current = true
    if (hasBegun.current) return
    event.preventDefault()
    event.stopPropagation()
  }
}
