import { exitTo } from '@atrium/contract'
import { useEffect, useRef } from 'react'
import { texts } from '../../text/participant.ts'

/** Time to read before the browser goes back to the recruiting site. */
const leaveAfterMs = 6_000

/** Takes people back to the site that recruited them. Shown only once everything is stored (R20). */
export function LeaveStudy({ redirectUrl }: { redirectUrl: string }) {
  const exit = exitTo(redirectUrl)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const timer = setTimeout(
      () => (form.current ? form.current.submit() : location.assign(redirectUrl)),
      leaveAfterMs,
    )
    return () => clearTimeout(timer)
  }, [redirectUrl])
  return exit.kind === 'link' ? (
    <p>
      {texts().done.redirecting}{' '}
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
        {texts().done.redirecting}{' '}
        <button type="submit" className="button">
          {texts().done.goBack}
        </button>
      </p>
    </form>
  )
}
