import { type Place, regionAt } from '@atrium/contract/components'
import { useRef, useState } from 'react'
import { texts } from '../../../text/participant-survey.ts'
import type { LazyBody } from '../lazy-view.tsx'
import { answerOf, isFixed } from '../questions/answer.ts'
import { Question } from '../questions/question.tsx'
import type { SettledProps } from '../settings/with-settings.tsx'
import { CrosshairButtons } from './crosshair-buttons.tsx'
import { MarkedPicture } from './marked-picture.tsx'
import { type Change, marksIn, withMark, withoutMark } from './marks.ts'
import './hot-spot.css'

type Props = SettledProps<'hot_spot'>

/** A picture to mark places on. What changes is said in a line below it, which screen readers read out. */
export const HotSpot: LazyBody<'hot_spot'> = (props: Props) => {
  const { settings, onDraft } = props
  const { label, help, src, alt, minMarks, maxMarks = minMarks, regions = [] } = settings
  const words = texts().hotSpot
  const marks = marksIn(answerOf(props))
  const picture = useRef<HTMLDivElement>(null)
  const [crosshair, setCrosshair] = useState<Place>({ x: 50, y: 50 })
  const [hasButtons, setHasButtons] = useState(false)
  const [said, setSaid] = useState<string>()

  const spoken = (place: Place) => {
    const where = words.place(Math.round(place.x), Math.round(place.y))
    return [where, regionAt(regions, place)?.label].filter((part) => part !== undefined).join(', ')
  }
  const change = (done: Change, place?: Place) => {
    if (done.kind === 'full') return setSaid(words.full(maxMarks))
    const what = words[done.kind](done.number)
    setSaid(place ? `${what}: ${spoken(place)}` : what)
    onDraft(done.marks.length === 0 ? undefined : { marks: done.marks })
  }
  const mark = (place: Place) => {
    setCrosshair(place)
    const box = picture.current?.getBoundingClientRect()
    if (box) change(withMark(marks, place, maxMarks, box), place)
  }
  const steer = (place: Place) => {
    setCrosshair(place)
    setSaid(spoken(place))
  }
  const remove = (index: number) => {
    change(withoutMark(marks, index))
    // The button that was pressed is gone.
    picture.current?.focus()
  }

  return (
    <Question props={props} label={label} help={help} hint={words.hint(minMarks, maxMarks)} isGroup>
      {(ids) => (
        <>
          <MarkedPicture
            ref={picture}
            key={src}
            src={src}
            alt={alt}
            marks={marks}
            isNumbered={maxMarks > 1}
            crosshair={crosshair}
            isCrosshairShown={hasButtons}
            isFixed={isFixed(props)}
            describedBy={ids.describedBy}
            keysId={`${ids.label}-keys`}
            onSteer={steer}
            onMark={mark}
            onRemoveLast={() => marks.length > 0 && change(withoutMark(marks, marks.length - 1))}
          />
          <p className="marks-said quiet" role="status">
            {said ?? words.count(marks.length)}
          </p>
          {!isFixed(props) && (
            <>
              <ul className="marks-set">
                {marks.map((place, index) => (
                  <li key={index}>
                    <button
                      type="button"
                      className="button is-quiet mark-button"
                      aria-label={`${words.remove(index + 1)}: ${spoken(place)}`}
                      onClick={() => remove(index)}
                    >
                      {index + 1} <span aria-hidden="true">✕</span>
                    </button>
                  </li>
                ))}
              </ul>
              <CrosshairButtons
                keysId={`${ids.label}-keys`}
                crosshair={crosshair}
                onOpen={setHasButtons}
                onSteer={steer}
                onMark={() => mark(crosshair)}
              />
            </>
          )}
        </>
      )}
    </Question>
  )
}

HotSpot.howToFix = ({ minMarks }, draft) => texts().hotSpot.howToFix(marksIn(draft).length, minMarks)
