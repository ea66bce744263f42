import type { Place } from '@atrium/contract/components'
import { texts } from '../../../text/participant-survey.ts'
import { steered } from './marks.ts'

/** In percent: few presses take the crosshair across the picture. */
const step = 5

interface CrosshairButtonsProps {
  /** Of the sentence about keys, which describes the picture even while this is closed. */
  keysId: string
  crosshair: Place
  onOpen(isOpen: boolean): void
  onSteer(place: Place): void
  onMark(): void
}

/** For people who can neither point exactly nor have arrow keys, as with a screen reader on a phone. */
export function CrosshairButtons({ keysId, crosshair, onOpen, onSteer, onMark }: CrosshairButtonsProps) {
  const words = texts().hotSpot
  const arrow = (key: string, sign: string, label: string) => (
    <button
      type="button"
      className={`button is-quiet steer-${key}`}
      aria-label={label}
      onClick={() => {
        const place = steered(crosshair, key, step)
        if (place) onSteer(place)
      }}
    >
      {sign}
    </button>
  )
  return (
    <details className="crosshair-buttons" onToggle={({ currentTarget }) => onOpen(currentTarget.open)}>
      <summary>{words.otherWays}</summary>
      <p id={keysId} className="hint">
        {words.keys}
      </p>
      {/* Pictures are not mirrored, so the arrows are not either. */}
      <div className="steering" dir="ltr">
        {arrow('ArrowUp', '↑', words.up)}
        {arrow('ArrowLeft', '←', words.left)}
        <button type="button" className="button steer-mark" onClick={onMark}>
          {words.mark}
        </button>
        {arrow('ArrowRight', '→', words.right)}
        {arrow('ArrowDown', '↓', words.down)}
      </div>
    </details>
  )
}
