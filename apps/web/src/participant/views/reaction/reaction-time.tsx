import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { texts } from '../../../text/participant.ts'
import { useSending } from '../gates/use-sending.ts'
import { drawnOrder, orderSeed } from '../questions/drawn-order.ts'
import { GoOnWithout } from '../questions/go-on-without.tsx'
import { Refusal } from '../questions/problem.tsx'
import { Question } from '../questions/question.tsx'
import type { SettledProps } from '../settings/with-settings.tsx'
import { loadPictures } from './load-pictures.ts'
import { nameOfKey } from './pressed-key.ts'
import { Stage } from './stage.tsx'
import type { Block, BlockPlan } from './trial-run.ts'
import { type BlockResult, useBlock } from './use-block.ts'
import './reaction.css'

type Props = SettledProps<'reaction_time'>

/** Loading, running and sending follow each other; a refusal of the server leaves the result to be sent again. */
type Progress =
  | { kind: 'before' }
  | { kind: 'loading' }
  | { kind: 'not_loaded' }
  | { kind: 'running'; pictures: readonly HTMLImageElement[] }
  | { kind: 'over'; result: BlockResult }

export function ReactionTime(props: Props) {
  const { component, settings, scene, recorded, isLocked } = props
  const { label, help } = settings
  const keys = useMemo(() => keysOf(settings), [settings])
  const plan = usePlan(props)
  const [progress, setProgress] = useState<Progress>({ kind: 'before' })
  const { submit, refusal, isSending } = useSending(props.send)

  const { shown, react } = useBlock(
    plan,
    keys.map(({ key }) => key),
    progress.kind === 'running',
    (result) => {
      setProgress({ kind: 'over', result })
      void submit(result)
    },
  )

  async function start(): Promise<void> {
    setProgress({ kind: 'loading' })
    try {
      const pictures = await loadPictures(
        settings.trials.flatMap(({ image }) => (image === undefined ? [] : [image])),
      )
      scene.note('trials_started', component.id, { order: plan.trials.map(({ trial }) => trial) })
      // The start button is gone: keys must not press anything else on the page.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      setProgress({ kind: 'running', pictures })
    } catch {
      scene.note('media_failed', component.id, { media: null, mediaId: null, reason: 'not_loaded' })
      setProgress({ kind: 'not_loaded' })
    }
  }

  const isReady =
    settings.autoStart && progress.kind === 'before' && recorded === undefined && !isLocked && !scene.isStill
  const startByItself = useEffectEvent(() => void start())
  useEffect(() => {
    if (isReady) startByItself()
  }, [isReady])

  return (
    <Question props={{ ...props, problem: undefined }} label={label} help={help} isGroup>
      {() => (
        <>
          <Stage
            trial={shown === null ? undefined : settings.trials[plan.trials[shown.at]?.trial ?? -1]}
            phase={shown?.phase}
            keys={keys}
            onReact={react}
          >
            {shown === null && (
              <Beside
                progress={recorded === undefined ? (isReady ? 'loading' : progress.kind) : 'done'}
                trials={plan.trials.length}
                keys={keys.map(({ key }) => nameOfKey(key))}
                isLocked={isLocked || scene.isStill}
                wayOn={props.wayOn}
                onStart={() => void start()}
              />
            )}
          </Stage>
          <Count shown={shown} plan={plan} />
          <Refusal message={refusal} />
          {progress.kind === 'over' && recorded === undefined && refusal !== undefined && (
            <button
              type="button"
              className="button"
              disabled={isSending}
              onClick={() => void submit(progress.result)}
            >
              {texts().tasks.reaction.sendAgain}
            </button>
          )}
        </>
      )}
    </Question>
  )
}

const keysOf = ({ keys }: Props['settings']) =>
  keys.map((written) =>
    typeof written === 'string'
      ? { key: written, label: nameOfKey(written) }
      : { key: written.key, label: written.label ?? nameOfKey(written.key) },
  )

function usePlan({ component, settings, scene }: Props): BlockPlan {
  const { trials, shuffle, timeoutMs, fixationMs, intervalMs, feedback, feedbackMs } = settings
  const seed = orderSeed(scene, component.id)
  return useMemo(() => {
    const planned = trials.map(({ correctKey }, trial) => ({ trial, correctKey }))
    return {
      trials: shuffle ? drawnOrder(planned, seed) : planned,
      timeoutMs,
      fixationMs,
      intervalMs,
      feedbackMs: feedback ? feedbackMs : 0,
    }
  }, [trials, shuffle, seed, timeoutMs, fixationMs, intervalMs, feedback, feedbackMs])
}

interface BesideProps {
  progress: Progress['kind'] | 'done'
  trials: number
  keys: readonly string[]
  isLocked: boolean
  wayOn: Props['wayOn']
  onStart(): void
}

/** What the stage shows before and after the block. */
function Beside({ progress, trials, keys, isLocked, wayOn, onStart }: BesideProps) {
  const words = texts().tasks.reaction
  switch (progress) {
    case 'before':
    case 'not_loaded':
      return (
        <div className="reaction-start">
          <p>{progress === 'before' ? words.explain(trials, keys) : words.notLoaded}</p>
          <button type="button" className="button" disabled={isLocked} onClick={onStart}>
            {progress === 'before' ? words.start : words.tryAgain}
          </button>
          {progress === 'not_loaded' && <GoOnWithout wayOn={wayOn} />}
        </div>
      )
    case 'loading':
    case 'running':
      return <p className="quiet">{texts().loading}</p>
    case 'over':
      return <p className="quiet">{words.saving}</p>
    case 'done':
      return <p role="status">{words.done}</p>
  }
}

/** Always as high, so that nothing moves when the block begins. */
const Count = ({ shown, plan }: { shown: Block | null; plan: BlockPlan }) => (
  <p className="reaction-count">
    {shown && texts().tasks.reaction.count(Math.min(shown.at + 1, plan.trials.length), plan.trials.length)}
  </p>
)
