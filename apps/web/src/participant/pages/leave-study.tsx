import { exitTo } from '@atrium/contract'
import { useEffect, useRef } from 'react'
import { texts } from '../../text/participant.ts'

/** Time to read before the browser goes back to the recruiting site. */
const leaveAfterMs = 6_000

interface LeaveStudyProps {
  redirectUrl: string
  /** After a moment, without a click. */
  leavesAlone: boolean
}

/** Takes people back to the site that recruited them. Shown only once everything is stored (R20). */
export function LeaveStudy({ redirectUrl, leavesAlone }: LeaveStudyProps) {
  const exit = exitTo(redirectUrl)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (!leavesAlone) return
    const timer = setTimeout(
      () => (form.current ? form.current.submit() : location.assign(redirectUrl)),
      leaveAfterMs,
    )
    return () => clearTimeout(timer)
  }, [redirectUrl, leavesAlone])
  return exit.kind === 'link' ? (
    <p>
      {leavesAlone && `${texts().done.redirecting} `}
      <a className="button" href={exit.url}>
        {texts().done.goBack}
      </a>
    </p>
  ) : (
    <form ref={form} method="post" action={exit.action}>
      {exit.fields.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <p>
        {leavesAlone && `${texts().done.redirecting} `}
        <button type="submit" className="button">
          {texts().done.goBack}
        </button>
      </p>
    </form>
  )
}
