import { useRef, useState } from 'react'
import { texts } from '../../../text/participant.ts'
import { Picture } from '../display/image.tsx'
import { Markdown } from '../display/markdown.tsx'
import { type SettledProps, withSettings } from '../settings/with-settings.tsx'
import { ComprehensionCheck } from './comprehension-check.tsx'
import './gates.css'

type Props = SettledProps<'instructions'>

/** Pages, then the questions as the last one. Participants can always go back and read again. */
function Instructions(props: Props) {
  const { settings, recorded } = props
  const { text, pages, questions } = settings
  const leaves = pages.length + (questions.length > 0 ? 1 : 0)
  // People who have already attempted the check have read the pages.
  const [at, setAt] = useState(recorded === undefined ? 0 : leaves - 1)
  const top = useRef<HTMLDivElement>(null)
  const turn = (to: number) => {
    setAt(to)
    top.current?.focus()
  }
  const page = pages[at]
  return (
    <div className="instructions">
      {text !== undefined && <Markdown text={text} />}
      <div ref={top} tabIndex={-1} className="leaf">
        {page !== undefined && <Page {...pageOf(page)} />}
        {/* Stays mounted while the participant reads again, so that no answers are lost. */}
        <div hidden={at < pages.length}>{questions.length > 0 && <ComprehensionCheck {...props} />}</div>
      </div>
      {leaves > 1 && <Turner at={at} leaves={leaves} hasCheck={questions.length > 0} onTurn={turn} />}
    </div>
  )
}

type WrittenPage = Props['settings']['pages'][number]

/** A page may be written as just its text. */
const pageOf = (written: WrittenPage): Exclude<WrittenPage, string> =>
  typeof written === 'string' ? { text: written } : written

const Page = ({ title, text, image, alt = '' }: Exclude<WrittenPage, string>) => (
  <>
    {title !== undefined && <h2>{title}</h2>}
    {text !== undefined && <Markdown text={text} />}
    {image !== undefined && <Picture key={image} src={image} alt={alt} />}
  </>
)

interface TurnerProps {
  at: number
  leaves: number
  hasCheck: boolean
  onTurn(to: number): void
}

function Turner({ at, leaves, hasCheck, onTurn }: TurnerProps) {
  const { back, next, toQuestions, questions, page } = texts().views.instructions
  const isLast = at >= leaves - 1
  const pages = hasCheck ? leaves - 1 : leaves
  // Nobody needs to hear that the only page is the first of one.
  const where = hasCheck && isLast ? questions : pages > 1 ? page(at + 1, pages) : ''
  return (
    <div className="turner">
      <button
        type="button"
        className={at === 0 ? 'button is-quiet is-away' : 'button is-quiet'}
        disabled={at === 0}
        onClick={() => onTurn(at - 1)}
      >
        {back}
      </button>
      <span role="status">{where}</span>
      <button
        type="button"
        className={isLast ? 'button is-quiet is-away' : 'button'}
        disabled={isLast}
        onClick={() => onTurn(at + 1)}
      >
        {hasCheck && at === leaves - 2 ? toQuestions : next}
      </button>
    </div>
  )
}

export const InstructionsView = withSettings('instructions', Instructions)
