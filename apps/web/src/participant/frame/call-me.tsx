import { useContext, useState } from 'react'
import { texts } from '../../text/participant.ts'
import { GroupCallContext } from './group-call.ts'

/** Asks for nothing by itself: browsers let a page make sounds and send messages only after somebody wanted it to. */
export function CallMe() {
  const call = useContext(GroupCallContext)
  const [isArmed, setArmed] = useState(call?.isPrepared() ?? false)
  const text = texts().frame.waitingRoom
  const arm = () => {
    call?.prepare()
    setArmed(true)
  }
  return (
    <div className="call-me">
      {isArmed ? null : (
        <button type="button" className="button is-quiet" onClick={arm}>
          {text.callMe}
        </button>
      )}
      <p className="quiet" role="status">
        {isArmed ? text.called : text.callMeWhy}
      </p>
    </div>
  )
}
