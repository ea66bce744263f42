import type { Place } from '@atrium/contract/components'
import { type KeyboardEvent, type MouseEvent, type Ref, useState } from 'react'
import { texts as viewTexts } from '../../../text/participant.ts'
import { texts } from '../../../text/participant-survey.ts'
import { MissingPicture } from '../display/image.tsx'
import { GoOnWithout } from '../questions/go-on-without.tsx'
import type { WayOnWithout } from '../view.ts'
import { placeIn, steered } from './marks.ts'

interface MarkedPictureProps {
  ref: Ref<HTMLDivElement>
  /** Undefined if there is no such picture, or no longer. */
  src: string | undefined
  alt: string | undefined
  marks: readonly Place[]
  isNumbered: boolean
  crosshair: Place
  /** It is always shown while the picture has the keyboard. */
  isCrosshairShown: boolean
  isFixed: boolean
  wayOn: WayOnWithout | undefined
  onFailed(): void
  describedBy: string | undefined
  keysId: string
  onSteer(place: Place): void
  onMark(place: Place): void
  onRemoveLast(): void
}

/** In percent. */
const steps = { small: 1, large: 10 }

/** The picture with its marks. Screen readers leave the arrow keys to it, which is what `application` says. */
export function MarkedPicture(props: MarkedPictureProps) {
  const { ref, src, alt = '', marks, isNumbered, crosshair, isCrosshairShown, isFixed } = props
  const [hasFailed, setHasFailed] = useState(false)
  const words = texts().hotSpot
  const fail = () => {
    setHasFailed(true)
    props.onFailed()
  }
  const wayOn = <GoOnWithout wayOn={props.wayOn} />
  if (src === undefined)
    return (
      <>
        <MissingPicture alt={alt} />
        {wayOn}
      </>
    )
  if (hasFailed)
    return (
      <>
        <MissingPicture alt={alt} />
        <button type="button" className="button is-quiet" onClick={() => setHasFailed(false)}>
          {viewTexts().views.media.tryAgain}
        </button>{' '}
        {wayOn}
      </>
    )
  const name = words.picture(alt, marks.length)
  const content = (
    <>
      <img className="picture" src={src} alt="" draggable={false} onError={fail} />
      {!isFixed && (
        <span className="crosshair" data-shown={isCrosshairShown || undefined} style={at(crosshair)} />
      )}
      {marks.map((mark, index) => (
        <span className="mark" key={index} style={at(mark)}>
          {isNumbered && <span className="mark-number">{index + 1}</span>}
        </span>
      ))}
    </>
  )
  if (isFixed)
    return (
      <div className="hot-spot is-fixed" ref={ref} role="img" aria-label={name}>
        {content}
      </div>
    )
  return (
    <div
      className="hot-spot"
      ref={ref}
      role="application"
      aria-label={name}
      aria-describedby={[props.keysId, props.describedBy].filter(Boolean).join(' ')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes keys.
      tabIndex={0}
      onClick={(event) => props.onMark(placeOf(event, crosshair))}
      onKeyDown={(event) => takeKey(event, props)}
    >
      {content}
    </div>
  )
}

const at = ({ x, y }: Place) => ({ left: `${x}%`, top: `${y}%` })

/** Assistive technology clicks without a pointer: then the crosshair says where. */
const placeOf = ({ currentTarget, clientX, clientY, detail }: MouseEvent, crosshair: Place): Place =>
  detail === 0 ? crosshair : placeIn(currentTarget.getBoundingClientRect(), clientX, clientY)

function takeKey(event: KeyboardEvent, { crosshair, onSteer, onMark, onRemoveLast }: MarkedPictureProps) {
  const { key, shiftKey, altKey, ctrlKey, metaKey } = event
  // These are shortcuts of the browser.
  if (altKey || ctrlKey || metaKey) return
  const place = steered(crosshair, key, shiftKey ? steps.large : steps.small)
  if (place) onSteer(place)
  else if (key === 'Enter' || key === ' ') onMark(crosshair)
  else if (key === 'Delete' || key === 'Backspace') onRemoveLast()
  else return
  event.preventDefault()
}
