import { useState } from 'react'
import { refusalTextOf } from '../../refusal-text.ts'

type Sending = { kind: 'idle' } | { kind: 'sending' } | { kind: 'refused'; message: string }

/** Sends an answer and keeps the reason if it was refused. What was entered stays with the view. */
export function useSending<Value>(send: (value: Value) => Promise<void>) {
  const [sending, setSending] = useState<Sending>({ kind: 'idle' })
  return {
    isSending: sending.kind === 'sending',
    refusal: sending.kind === 'refused' ? sending.message : undefined,
    /** Returns true if the answer was accepted. */
    submit: async (value: Value): Promise<boolean> => {
      setSending({ kind: 'sending' })
      try {
        await send(value)
        setSending({ kind: 'idle' })
        return true
      } catch (error) {
        setSending({ kind: 'refused', message: refusalTextOf(error) })
        return false
      }
    },
  }
}
