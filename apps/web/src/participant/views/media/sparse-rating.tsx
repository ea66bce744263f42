import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { texts } from '../../../text/participant.ts'
import { useSending } from '../gates/use-sending.ts'
import { Refusal } from '../questions/problem.tsx'
import { Question } from '../questions/question.tsx'
import { ScaleLine } from '../questions/scale-line.tsx'
import { onLine } from '../questions/steps.ts'
import type { SettledProps } from '../settings/with-settings.tsx'
import { isAllRated, type Playhead, positionDue, ratedUntil } from './asked-positions.ts'
import { useMedia, useStage } from './media-stage.tsx'
import { positionOf, type StagedMedia } from './stage.ts'
import './media.css'

type Props = SettledProps<'sparse_rating'>

export function SparseRating(props: Props) {
  const { settings, recorded } = props
  const { atMs, pause, mediaId } = settings
  const media = useMedia(mediaId)
  const [rated, setRated] = useState(() => ratedUntil(atMs, recorded))
  const playhead = usePlayhead(media)
  const due = positionDue(atMs, rated, playhead)
  const isDone = isAllRated(atMs, rated)
  useHold(media?.id, pause && due !== undefined)
  useEndAfter(media?.id, pause && !isDone)
  return (
    <div className="rating">
      {due === undefined ? (
        <p className="hint">{isDone ? texts().views.rating.allGiven : texts().views.rating.toCome}</p>
      ) : (
        <Asked
          key={due}
          {...props}
          askedAtMs={due}
          element={media?.element ?? null}
          onRated={() => setRated((before) => [...before, due])}
        />
      )}
    </div>
  )
}

interface AskedProps extends Props {
  askedAtMs: number
  element: HTMLMediaElement | null
  onRated(): void
}

function Asked({ askedAtMs, element, onRated, ...props }: AskedProps) {
  const { settings, scene, send } = props
  const { label, help } = settings
  const [value, setValue] = useState<number>()
  const { isSending, refusal, submit } = useSending(send)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    const show = () => place.current?.scrollIntoView({ block: 'nearest' })
    show()
    // After a reload, the picture may come later and push the question out of the window.
    element?.addEventListener('loadedmetadata', show)
    return () => element?.removeEventListener('loadedmetadata', show)
  }, [element])
  const rate = async () => {
    if (value !== undefined && (await submit({ atMs: askedAtMs, value }))) onRated()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the question inside has its own label; this is where the focus goes.
    <div ref={place} tabIndex={-1} className="asked" role="group" aria-label={texts().views.rating.askedNow}>
      <Question props={{ ...props, problem: undefined }} label={label} help={help} isGroup={false}>
        {(ids) => (
          <ScaleLine
            {...settings}
            step="any"
            value={value}
            disabled={isSending || scene.isStill}
            labelledBy={ids.label}
            describedBy={ids.describedBy}
            onChange={(next) => setValue(onLine(next, settings))}
          />
        )}
      </Question>
      {value === undefined && <p className="hint">{texts().views.scale.untouched}</p>}
      <Refusal message={refusal} />
      <button
        type="button"
        className="button"
        disabled={value === undefined || isSending || scene.isStill}
        onClick={rate}
      >
        {texts().views.rating.submit}
      </button>
    </div>
  )
}

/** Short enough to stop a video where it should stop, not a quarter of a second later. */
const lookEveryMs = 50

function usePlayhead(media: StagedMedia | undefined): Playhead {
  const element = media?.element
  const [playhead, setPlayhead] = useState<Playhead>({ positionMs: 0, hasEnded: false })
  const look = useEffectEvent(() => {
    if (!media || !element) return
    const positionMs = positionOf(media)
    const hasEnded = element.ended || media.isOver === true
    if (positionMs !== playhead.positionMs || hasEnded !== playhead.hasEnded)
      setPlayhead({ positionMs, hasEnded })
  })
  useEffect(() => {
    if (!element) return
    const timer = setInterval(() => look(), lookEveryMs)
    const listener = () => look()
    // Timers are throttled in a hidden tab; these events still arrive.
    for (const change of ['timeupdate', 'ended']) element.addEventListener(change, listener)
    return () => {
      clearInterval(timer)
      for (const change of ['timeupdate', 'ended']) element.removeEventListener(change, listener)
    }
  }, [element])
  return playhead
}

function useHold(mediaId: string | undefined, isHolding: boolean) {
  const stage = useStage()
  useEffect(
    () => (mediaId !== undefined && isHolding ? stage.hold(mediaId) : undefined),
    [stage, mediaId, isHolding],
  )
}

/** Holds back the end of playback until the last rating is given, because the state may end with it. */
function useEndAfter(mediaId: string | undefined, isAwaited: boolean) {
  const stage = useStage()
  useEffect(() => {
    if (mediaId === undefined || !isAwaited) return
    const given = Promise.withResolvers<void>()
    const release = stage.guardEnd(mediaId, () => given.promise)
    return () => {
      release()
      given.resolve()
    }
  }, [stage, mediaId, isAwaited])
}
