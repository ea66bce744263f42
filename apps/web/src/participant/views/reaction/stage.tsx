import type { PropsWithChildren } from 'react'
import { texts } from '../../../text/participant.ts'
import type { InputKind, Phase } from './trial-run.ts'

interface StageProps {
  trial: { text?: string | undefined; image?: string | undefined; alt?: string | undefined } | undefined
  phase: Phase | undefined
  keys: readonly { key: string; label: string }[]
  onReact(key: string, event: Event, input: InputKind): void
}

/** Where stimuli appear, always in the same place, with the keys as buttons below it on a phone. */
export function Stage({ trial, phase, keys, onReact, children }: PropsWithChildren<StageProps>) {
  const isRunning = phase !== undefined
  return (
    <div className="reaction">
      <div className="reaction-stage" data-phase={phase?.kind}>
        {children}
        {phase?.kind === 'fixation' && <span className="reaction-fixation">+</span>}
        {phase?.kind === 'stimulus' && trial && <Stimulus {...trial} />}
        {phase?.kind === 'feedback' && (
          <p className={`reaction-feedback is-${phase.verdict}`}>
            {texts().tasks.reaction.feedback[phase.verdict]}
          </p>
        )}
      </div>
      <div className="reaction-keys">
        {keys.map(({ key, label }) => (
          <button
            key={key}
            type="button"
            className="reaction-key"
            disabled={!isRunning}
            // When the finger comes down: a click would come when it goes up again.
            onPointerDown={({ nativeEvent }) => onReact(key, nativeEvent, pointerKind(nativeEvent))}
            // A screen reader or a switch clicks without a pointer.
            onClick={({ nativeEvent, detail }) => detail === 0 && onReact(key, nativeEvent, 'keyboard')}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  )
}

const pointerKind = ({ pointerType }: PointerEvent): InputKind =>
  pointerType === 'touch' || pointerType === 'pen' ? pointerType : 'mouse'

function Stimulus({ text, image, alt = '' }: NonNullable<StageProps['trial']>) {
  return (
    <div className="reaction-stimulus">
      {image !== undefined && <img src={image} alt={alt} decoding="sync" />}
      {text !== undefined && <span dir="auto">{text}</span>}
    </div>
  )
}
