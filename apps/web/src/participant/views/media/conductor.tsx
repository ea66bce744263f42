import type { PlaybackCommand } from '@atrium/client'
import { useState } from 'react'
import { texts } from '../../../text/participant.ts'
import { refusalTextOf } from '../../refusal-text.ts'
import { Refusal } from '../questions/problem.tsx'
import type { InStep } from './use-in-step.ts'
import type { PlayerProps } from './use-playback.ts'

interface ConductorProps {
  player: PlayerProps
  inStep: InStep
  element: HTMLMediaElement | null
  durationMs: number | undefined
}

/** Controls for the whole room, for participants with the role in `controlledBy`. */
export function Conductor({ player, inStep, element, durationMs }: ConductorProps) {
  const { props, controlledBy } = player
  const [refusal, setRefusal] = useState<string>()
  if (inStep.kind !== 'in_step' || controlledBy !== props.scene.role) return null
  const { sync, state } = inStep
  const isPlaying = state.status === 'playing' || state.status === 'waiting'
  const lengthMs = durationMs ?? (element?.duration ?? Number.NaN) * 1_000
  const command = (wanted: PlaybackCommand) => {
    setRefusal(undefined)
    sync.command(props.component.id, wanted).catch((error) => setRefusal(refusalTextOf(error)))
  }
  const { label, play, pause, position } = texts().views.media.conduct
  return (
    <fieldset className="conductor" aria-label={label}>
      <button
        type="button"
        className="button is-quiet"
        disabled={props.scene.isStill || state.status === 'preparing'}
        onClick={() => command({ command: isPlaying ? 'pause' : 'play' })}
      >
        {isPlaying ? pause : play}
      </button>
      {Number.isFinite(lengthMs) && (
        <input
          // Follows the room again after each command.
          key={state.atServerTime}
          type="range"
          aria-label={position}
          min={0}
          max={Math.round(lengthMs)}
          step={100}
          defaultValue={Math.round(inStep.positionMs?.() ?? state.positionMs)}
          disabled={props.scene.isStill || state.status === 'preparing'}
          onPointerUp={({ currentTarget }) => seekTo(currentTarget)}
          onKeyUp={({ currentTarget }) => seekTo(currentTarget)}
        />
      )}
      <Refusal message={refusal} />
    </fieldset>
  )

  function seekTo({ valueAsNumber }: HTMLInputElement): void {
    if (Math.abs(valueAsNumber - state.positionMs) > 100)
      command({ command: 'seek', positionMs: valueAsNumber })
  }
}
