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

interface Said {
  text: string
  /** So many there were then: what is said of others, as before the answer was cleared, is over. */
  marks: number
  /** Only heard: people who see the picture are not told what it is divided into. */
  region?: string | undefined
}

/** A picture to mark places on. What changes is said in a line below it, which screen readers read out. */
export const HotSpot: LazyBody<'hot_spot'> = (props: Props) => {
  const { settings, onDraft } = props
  const { label, help, src, alt, minMarks, maxMarks = minMarks, regions = [] } = settings
  const words = texts().hotSpot
  const marks = marksIn(answerOf(props))
  const picture = useRef<HTMLDivElement>(null)
  const [crosshair, setCrosshair] = useState<Place>({ x: 50, y: 50 })
  const [hasButtons, setHasButtons] = useState(false)
  const [said, setSaid] = useState<Said>()

  const noteFailure = () =>
    props.scene.note('media_failed', props.component.id, {
      // Of a signed address, only where it leads.
      media: src?.replace(/[?#].*$/s, '').slice(0, 200) ?? null,
      mediaId: null,
      reason: 'not_loaded',
    })
  const whereIs = ({ x, y }: Place) => words.place(Math.round(x), Math.round(y))
  const labelAt = (place: Place) => regionAt(regions, place)?.label
  const say = (text: string, of: readonly Place[], place?: Place) =>
    setSaid({ text, marks: of.length, region: place && labelAt(place) })
  const change = (done: Change, place?: Place) => {
    if (done.kind === 'full') return say(words.full(maxMarks), marks)
    const what = words[done.kind](done.number)
    say(place ? `${what}: ${whereIs(place)}` : what, done.marks, place)
    onDraft(done.marks.length === 0 ? undefined : { marks: done.marks })
  }
  const mark = (place: Place) => {
    setCrosshair(place)
    const box = picture.current?.getBoundingClientRect()
    if (box) change(withMark(marks, place, maxMarks, box), place)
  }
  const steer = (place: Place) => {
    setCrosshair(place)
    say(whereIs(place), marks, place)
  }
  const remove = (index: number) => {
    change(withoutMark(marks, index))
    // The button that was pressed is gone.
    picture.current?.focus()
  }

  const line = said?.marks === marks.length ? said : { text: words.count(marks.length), region: undefined }
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
            wayOn={isFixed(props) ? undefined : props.wayOn}
            onFailed={noteFailure}
            describedBy={ids.describedBy}
            keysId={`${ids.label}-keys`}
            onSteer={steer}
            onMark={mark}
            onRemoveLast={() => marks.length > 0 && change(withoutMark(marks, marks.length - 1))}
          />
          <p className="marks-said quiet" role="status">
            {line.text}
            {line.region !== undefined && <span className="visually-hidden">, {line.region}</span>}
          </p>
          {!isFixed(props) && (
            <>
              <ul className="marks-set">
                {marks.map((place, index) => (
                  <li key={index}>
                    <button
                      type="button"
                      className="button is-quiet mark-button"
                      aria-label={[`${words.remove(index + 1)}: ${whereIs(place)}`, labelAt(place)]
                        .filter(Boolean)
                        .join(', ')}
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
