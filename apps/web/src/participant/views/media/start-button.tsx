import type { Playback } from './use-playback.ts'

export function StartButton({ startLabel, start }: Pick<Playback, 'startLabel' | 'start'>) {
  if (startLabel === undefined) return null
  return (
    <button type="button" className="button start-button" onClick={start}>
      <span aria-hidden="true">▶</span> {startLabel}
    </button>
  )
}
