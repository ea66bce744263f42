import { plannedTrials } from '@atrium/contract/components'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { RunMessage } from '../../../jspsych/messages.ts'
import { texts } from '../../../text/participant.ts'
import { useFrameArrival } from '../frame-arrival.ts'
import { useSending } from '../gates/use-sending.ts'
import { drawnOrder, orderSeed } from '../questions/drawn-order.ts'
import { Refusal } from '../questions/problem.tsx'
import { Question } from '../questions/question.tsx'
import type { SettledProps } from '../settings/with-settings.tsx'
import { finishedIn, fittingResponse, frameReportIn, type TrialData, trialDataOf } from './trial-data.ts'
import { useKeysInFrame } from './use-keys-in-frame.ts'
import './jspsych.css'

type Props = SettledProps<'jspsych'>

type Progress = 'before' | 'loading' | 'running' | 'failed' | 'over'

/**
 * jsPsych runs in a frame of its own (`/jspsych.html`), whose origin is opaque and whose policy allows no scripts but ours:
 * HTML of the timeline can show anything and do nothing. The page keeps every finished trial as a draft, so that a reload
 * loses no more than the current one.
 */
export function Jspsych(props: Props) {
  const { component, settings, scene, draft, onDraft, recorded, isLocked } = props
  const planned = usePlan(props)
  const finished = useMemo(() => finishedIn(draft, planned), [draft, planned])
  const { submit, refusal, isSending } = useSending(props.send)
  const [progress, setProgress] = useState<Progress>(finished.length === planned.length ? 'over' : 'before')
  const frame = useRef<HTMLIFrameElement>(null)
  const arrival = useFrameArrival()
  /** After a failure, the next attempt has a new frame. */
  const [attempt, setAttempt] = useState(0)
  // Messages may come faster than renders.
  const trials = useRef<readonly TrialData[]>(finished)
  const run = useRef(0)

  function begin(): void {
    run.current = finished.length === 0 ? 0 : (finished.at(-1)?.run ?? 0) + 1
    trials.current = finished
    scene.note('trials_started', component.id, { finished: finished.length, run: run.current })
    const message: RunMessage = {
      ...dressOf(),
      atrium: 'run_timeline',
      trials: planned.slice(finished.length),
    }
    frame.current?.contentWindow?.postMessage(message, '*')
  }

  function start(): void {
    setProgress('loading')
    if (arrival.hasArrived) begin()
  }

  const onMessage = useEffectEvent((event: MessageEvent) => {
    if (event.source === null || event.source !== frame.current?.contentWindow) return
    const report = frameReportIn(event.data)
    switch (report?.atrium) {
      case 'frame_loaded':
        arrival.arrive()
        return progress === 'loading' ? begin() : undefined
      case 'timeline_started':
        return setProgress('running')
      case 'trial_finished': {
        const index = trials.current.length
        const trial = planned[index]
        if (!trial) return
        trials.current = [...trials.current, trialDataOf(report.data, trial, index, run.current)]
        return onDraft({ trials: trials.current })
      }
      case 'timeline_finished':
        if (trials.current.length < planned.length) return setProgress('failed')
        setProgress('over')
        return void submit(fittingResponse(trials.current))
      case 'timeline_failed':
        return setProgress('failed')
    }
  })
  useEffect(() => {
    const listener = (event: MessageEvent) => onMessage(event)
    window.addEventListener('message', listener)
    return () => window.removeEventListener('message', listener)
  }, [])
  useKeysInFrame(frame, progress === 'running')

  function tryAgain(): void {
    arrival.awaitAgain()
    setAttempt(attempt + 1)
    setProgress('loading')
  }

  const isDone = recorded !== undefined
  const isWaitingInVain = progress === 'loading' && arrival.isMissing
  const isOver = isDone || progress === 'over'
  return (
    <Question props={{ ...props, problem: undefined }} label={settings.label} help={settings.help} isGroup>
      {() => (
        <>
          <div className="jspsych-stage" style={{ height: settings.height }} data-progress={progress}>
            {!isOver && (
              <iframe
                key={attempt}
                ref={frame}
                onLoad={arrival.onLoad}
                className="jspsych-frame"
                title={texts().tasks.jspsych.title}
                sandbox="allow-scripts allow-forms"
                src="/jspsych.html"
                referrerPolicy="no-referrer"
                tabIndex={progress === 'running' ? 0 : -1}
              />
            )}
            {(isOver || progress !== 'running') && (
              <Cover
                kind={isDone ? 'done' : isWaitingInVain ? 'failed' : progress}
                isContinued={finished.length > 0}
                isLocked={isLocked || scene.isStill}
                onStart={start}
                onTryAgain={tryAgain}
              />
            )}
          </div>
          <progress
            className="jspsych-progress"
            aria-label={texts().tasks.jspsych.title}
            max={planned.length}
            value={isDone ? planned.length : finished.length}
          />
          <Refusal message={refusal} />
          {progress === 'over' && !isDone && !isSending && (
            <button
              type="button"
              className="button"
              onClick={() => void submit(fittingResponse(trials.current))}
            >
              {texts().tasks.reaction.sendAgain}
            </button>
          )}
        </>
      )}
    </Question>
  )
}

/** The same after a reload: the order is drawn from the participant and the visit. */
function usePlan({ component, settings, scene }: Props) {
  const { timeline } = settings
  const seed = orderSeed(scene, component.id)
  return useMemo(() => {
    let draws = 0
    return plannedTrials(timeline, (rows) => drawnOrder(rows, `${seed} ${draws++}`))
  }, [timeline, seed])
}

/** What the frame cannot see of the page around it. */
function dressOf(): Omit<RunMessage, 'atrium' | 'trials'> {
  const { documentElement: root } = document
  return {
    language: root.lang,
    direction: root.dir,
    accent: root.style.getPropertyValue('--accent'),
    onAccent: root.style.getPropertyValue('--on-accent'),
    anyKey: texts().state.continue,
  }
}

interface CoverProps {
  kind: Progress | 'done'
  isContinued: boolean
  isLocked: boolean
  onStart(): void
  onTryAgain(): void
}

/** What stands over the frame while no trial is shown. */
function Cover({ kind, isContinued, isLocked, onStart, onTryAgain }: CoverProps) {
  const words = texts().tasks.jspsych
  const shared = texts().tasks.reaction
  switch (kind) {
    case 'before':
      return (
        <div className="jspsych-cover">
          <p>{isContinued ? words.goOn : words.explain}</p>
          <button type="button" className="button" disabled={isLocked} onClick={onStart}>
            {isContinued ? texts().state.continue : shared.start}
          </button>
        </div>
      )
    case 'failed':
      return (
        <div className="jspsych-cover">
          <p role="alert">{words.notLoaded}</p>
          <button type="button" className="button" disabled={isLocked} onClick={onTryAgain}>
            {shared.tryAgain}
          </button>
        </div>
      )
    case 'loading':
    case 'running':
      return <p className="jspsych-cover quiet">{texts().loading}</p>
    case 'over':
      return <p className="jspsych-cover quiet">{shared.saving}</p>
    case 'done':
      return (
        <p className="jspsych-cover" role="status">
          {shared.done}
        </p>
      )
  }
}
