import { useEffect, useState } from 'react'
import { texts } from '../../../text/participant.ts'
import { clockFace, durationInWords } from '../display/clock-face.ts'
import { answerOf, isFixed, recordIn } from '../questions/answer.ts'
import { Problem } from '../questions/problem.tsx'
import { Question } from '../questions/question.tsx'
import type { SettledProps } from '../settings/with-settings.tsx'
import { useRecorder } from './use-recorder.ts'
import { useUpload } from './use-upload.ts'
import './files.css'

/** Record, listen, keep or record again. Only what is kept leaves the device. */
export function AudioAnswer(props: SettledProps<'audio_answer'>) {
  const { settings, scene } = props
  const { label, help, maxMs } = settings
  const words = texts().tasks.files
  const { recording, start, stop } = useRecorder(maxMs)
  const { upload, isUploading, failure } = useUpload(props)
  const { durationMs: keptMs } = recordIn(answerOf(props))
  const isClosed = isFixed(props) || isUploading || scene.isStill
  const isKept = typeof keptMs === 'number'
  const isRecording = recording.kind === 'recording'
  const begin = () => {
    // What was kept before is no longer the answer.
    props.onDraft(undefined)
    void start()
  }
  return (
    <Question
      props={props}
      label={label}
      help={help}
      hint={words.upTo(durationInWords(maxMs / 1_000))}
      isGroup
    >
      {() => (
        <div className="recorder">
          <div className="recorder-row">
            <button
              type="button"
              className={isRecording ? 'button is-recording' : 'button'}
              disabled={!isRecording && (isClosed || recording.kind === 'asking')}
              onClick={isRecording ? stop : begin}
            >
              {isRecording
                ? words.stop
                : recording.kind === 'recorded' || isKept
                  ? words.recordAgain
                  : words.record}
            </button>
            <span className="recorder-time" role="timer">
              {isRecording ? (
                <Elapsed since={recording.startedAt} />
              ) : recording.kind === 'recorded' ? (
                clockFace(recording.durationMs, 'up')
              ) : (
                clockFace(isKept ? keptMs : 0, 'up')
              )}
            </span>
          </div>
          {recording.kind === 'asking' && <p className="hint">{words.asking}</p>}
          {recording.kind === 'unavailable' && <Problem>{words.unavailable[recording.because]}</Problem>}
          {recording.kind === 'recorded' && (
            <>
              {/* biome-ignore lint/a11y/useMediaCaption: the person who listens has just said it. */}
              <audio controls src={recording.address} aria-label={words.playback} />
              {!isKept && (
                <button
                  type="button"
                  className="button"
                  disabled={isClosed}
                  onClick={() =>
                    void upload(recording.sound, nameOf(recording.sound), {
                      durationMs: recording.durationMs,
                    })
                  }
                >
                  {words.keep}
                </button>
              )}
            </>
          )}
          <p className="file-status" role="status">
            {isUploading && words.uploading}
            {isKept && words.kept}
          </p>
          {failure !== undefined && <Problem>{failure}</Problem>}
        </div>
      )}
    </Question>
  )
}

function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(since)
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 200)
    return () => clearInterval(timer)
  }, [])
  return clockFace(now - since, 'up')
}

const nameOf = ({ type }: Blob): string =>
  `recording.${/^\w+\/(?<ending>[a-z0-9]+)/.exec(type)?.groups?.ending ?? 'bin'}`
