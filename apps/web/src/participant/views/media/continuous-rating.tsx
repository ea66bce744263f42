import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { texts } from '../../../text/participant.ts'
import { refusalTextOf } from '../../refusal-text.ts'
import { Refusal } from '../questions/problem.tsx'
import { Question } from '../questions/question.tsx'
import { ScaleLine } from '../questions/scale-line.tsx'
import { onLine } from '../questions/steps.ts'
import type { SettledProps } from '../settings/with-settings.tsx'
import { useMedia, useStage } from './media-stage.tsx'
import { createSampleSender } from './sample-sender.ts'
import { positionOf, type StagedMedia } from './stage.ts'
import './media.css'

type Props = SettledProps<'continuous_rating'>

export function ContinuousRating(props: Props) {
  const { settings, scene } = props
  const { label, help } = settings
  const [value, setValue] = useState<number>()
  const [refusal, setRefusal] = useState<string>()
  const media = useMedia(settings.mediaId)
  return (
    <div className="rating">
      <Question props={{ ...props, problem: undefined }} label={label} help={help} isGroup={false}>
        {(ids) => (
          <ScaleLine
            {...settings}
            step="any"
            value={value}
            disabled={scene.isStill}
            labelledBy={ids.label}
            describedBy={ids.describedBy}
            onChange={(next) => setValue(onLine(next, settings))}
          />
        )}
      </Question>
      {value === undefined && (
        <p className="hint">
          {media === undefined ? texts().views.rating.start : texts().views.rating.startWithMedia}
        </p>
      )}
      <Refusal message={refusal && texts().views.rating.notSaved(refusal)} />
      {/* Each visit has its own sampler, so that late samples still belong to their visit. */}
      <Sampler
        key={`${scene.stateId} ${scene.visit}`}
        {...props}
        value={value}
        media={media}
        onRefusal={setRefusal}
      />
    </div>
  )
}

interface SamplerProps extends Props {
  value: number | undefined
  media: StagedMedia | undefined
  onRefusal(message: string | undefined): void
}

const batchEveryMs = 2_000

/** Takes samples and sends them; renders nothing. */
function Sampler(props: SamplerProps) {
  const { settings, scene, media, value, send, onRefusal } = props
  const { sampleMs } = settings
  const latestSend = useRef(send)
  useEffect(() => {
    latestSend.current = send
  }, [send])
  const [sender] = useState(() =>
    createSampleSender({
      send: (samples) => latestSend.current(samples),
      pause: (ms) => new Promise((resume) => setTimeout(resume, ms)),
    }),
  )
  const sample = useEffectEvent(() => {
    const at = scene.isStill ? undefined : momentOf(props)
    if (at !== undefined && value !== undefined) sender.add({ t: at, value })
  })
  const flush = useEffectEvent(() => {
    if (sender.waitingCount() === 0) return
    sender.flush().then(
      () => onRefusal(undefined),
      (error) => onRefusal(refusalTextOf(error)),
    )
  })
  useEffect(() => {
    const sampling = setInterval(() => sample(), sampleMs)
    const batching = setInterval(() => flush(), batchEveryMs)
    const onHidden = () => flush()
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      clearInterval(sampling)
      clearInterval(batching)
      document.removeEventListener('visibilitychange', onHidden)
      void sender.finish()
    }
  }, [sampleMs, sender])
  useStoredBeforeEnd(media, sender.finish)
  return null
}

/** The time to record in milliseconds; undefined while there is nothing to rate. */
function momentOf({ media, settings, scene }: SamplerProps): number | undefined {
  if (media === undefined && settings.mediaId === undefined)
    return Math.max(0, Math.round(scene.serverNow() - scene.enteredAt))
  const element = media?.element
  const isPlaying =
    element && !element.paused && !element.ended && element.readyState >= element.HAVE_CURRENT_DATA
  return media && isPlaying ? positionOf(media) : undefined
}

/** Stores all samples before the end is reported: a state that ends with its video accepts none afterwards. */
function useStoredBeforeEnd(media: StagedMedia | undefined, finish: (tries: number) => Promise<boolean>) {
  const stage = useStage()
  const mediaId = media?.id
  useEffect(
    () => (mediaId === undefined ? undefined : stage.guardEnd(mediaId, () => finish(2))),
    [stage, mediaId, finish],
  )
}
