import { useState } from 'react'
import { texts } from '../../text/participant.ts'
import type { Stage } from '../journey/stage.ts'

type Withdrawal = NonNullable<Extract<Stage, { kind: 'done' }>['withdrawal']>

/** On the last page: deletes the participant once they have confirmed it. */
export function WithdrawalSection({ deletes, confirm }: Withdrawal) {
  const text = texts().done.withdrawal
  const [step, setStep] = useState<'offered' | 'asked' | 'running' | 'failed' | 'done'>('offered')
  const run = () => {
    setStep('running')
    confirm().then(
      () => setStep('done'),
      () => setStep('failed'),
    )
  }
  if (step === 'done') return <p role="status">{text.done[deletes]}</p>
  return (
    <section>
      <h2>{text.title}</h2>
      <p>
        {text.explain[deletes]} {text.until}
      </p>
      {step === 'failed' && <p role="alert">{text.failed}</p>}
      {step === 'offered' ? (
        <button type="button" className="button is-quiet" onClick={() => setStep('asked')}>
          {text.ask[deletes]}
        </button>
      ) : (
        <>
          <p>{text.keepCode}</p>
          <button
            type="button"
            className="button"
            disabled={step === 'running'}
            onClick={() => setStep('offered')}
          >
            {text.cancel}
          </button>{' '}
          <button type="button" className="button is-quiet" disabled={step === 'running'} onClick={run}>
            {text.confirm[deletes]}
          </button>
        </>
      )}
    </section>
  )
}
