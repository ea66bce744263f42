import { texts } from '../../../text/participant.ts'
import type { WayOnWithout } from '../view.ts'

/** Beside a picture that has not loaded and without which there is no answer: nobody is held for ever. */
export function GoOnWithout({ wayOn }: { wayOn: WayOnWithout | undefined }) {
  if (!wayOn) return null
  const words = texts().views.image
  return (
    <>
      <button type="button" className="button is-quiet" disabled={wayOn.isTaken} onClick={wayOn.take}>
        {words.goOnWithout}
      </button>
      <p role="status">{wayOn.isTaken && words.wentOn}</p>
    </>
  )
}
