import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { texts } from '../../../text/participant.ts'
import { AskFirst, useAsked } from '../../frame/ask-first.tsx'
import { Markdown } from '../display/markdown.tsx'
import { useServerNow } from '../display/use-server-now.ts'
import { recordIn } from '../questions/answer.ts'
import { Refusal } from '../questions/problem.tsx'
import type { SettledProps } from '../settings/with-settings.tsx'
import { useSending } from './use-sending.ts'
import './gates.css'

type Props = SettledProps<'consent'>

export function Consent(props: Props & { collected?: ReactNode }) {
  const { settings, recorded, collected } = props
  const [end, hasSeenEnd] = useSeen()
  const [fileOpened, setFileOpened] = useState(false)
  return (
    <div className="consent">
      <Markdown text={settings.text} />
      {collected}
      {settings.file !== undefined && (
        <p className="consent-file">
          <a
            href={settings.file}
            target="_blank"
            rel="noopener noreferrer"
            download
            onClick={() => setFileOpened(true)}
          >
            {settings.fileLabel ?? texts().views.consent.file}
          </a>
        </p>
      )}
      <div ref={end} className="text-end" />
      {recorded === undefined ? (
        <Decision {...props} hasSeenEnd={hasSeenEnd} fileOpened={fileOpened} />
      ) : (
        <p className="notice is-good" role="status">
          {recordIn(recorded).agreed === true ? texts().views.consent.agreed : texts().views.consent.declined}
        </p>
      )}
    </div>
  )
}

function Decision(props: Props & { hasSeenEnd: boolean; fileOpened: boolean }) {
  const { settings, scene, send, isLocked, hasSeenEnd, fileOpened } = props
  const { agree, decline } = texts().views.consent
  const { minReadMs, requireScroll, agreeLabel = agree, declineLabel = decline } = settings
  const { isSending, refusal, submit } = useSending(send)
  const [shownSince] = useState(() => performance.now())
  const waitId = useId()
  const leftMs = scene.enteredAt + minReadMs - useServerNow(scene)
  const wait = waitText({ leftMs, mustSeeEnd: requireScroll && !hasSeenEnd })
  const decide = (agreed: boolean) =>
    submit({
      agreed,
      readMs: Math.round(performance.now() - shownSince),
      scrolledToEnd: hasSeenEnd,
      ...(settings.file !== undefined && { fileOpened }),
    })
  const isBusy = isSending || isLocked
  const asked = useAsked()
  return (
    <>
      <Refusal message={refusal} />
      {/* Not a live region: a countdown read out every second would drown the text to be read. */}
      <p className="wait" id={waitId}>
        {wait}
      </p>
      <div className="buttons">
        <button
          type="button"
          className="button"
          disabled={isBusy || wait !== ''}
          aria-describedby={waitId}
          onClick={() => decide(true)}
        >
          {agreeLabel}
        </button>
        <button
          type="button"
          className="button is-quiet"
          disabled={isBusy}
          onClick={() => asked.current?.showModal()}
        >
          {declineLabel}
        </button>
      </div>
      <AskFirst asked={asked} words={texts().frame.decline} onConfirm={() => decide(false)} />
    </>
  )
}

/** Whether the element has ever been in view. */
function useSeen() {
  const element = useRef<HTMLDivElement>(null)
  const [isSeen, setIsSeen] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setIsSeen(true)
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, isSeen] as const
}

/** Why the participant cannot agree yet; empty once they can. */
export function waitText({ leftMs, mustSeeEnd }: { leftMs: number; mustSeeEnd: boolean }): string {
  const { inSeconds, onceRead, inSecondsOnceRead } = texts().views.consent
  const seconds = Math.ceil(leftMs / 1_000)
  if (seconds <= 0) return mustSeeEnd ? onceRead : ''
  return mustSeeEnd ? inSecondsOnceRead(seconds) : inSeconds(seconds)
}
