import { useState } from 'react'

type Sending = { kind: 'idle' } | { kind: 'sending' } | { kind: 'refused'; message: string }

/** Sends an answer and remembers why it was refused. The view keeps what was entered. */
export function useSending<Value>(send: (value: Value) => Promise<void>) {
  const [sending, setSending] = useState<Sending>({ kind: 'idle' })
  return {
    isSending: sending.kind === 'sending',
    refusal: sending.kind === 'refused' ? sending.message : undefined,
    /** Resolves to true when it was accepted. */
    submit: async (value: Value): Promise<boolean> => {
      setSending({ kind: 'sending' })
      try {
        await send(value)
        setSending({ kind: 'idle' })
        return true
      } catch (error) {
        setSending({ kind: 'refused', message: refusalMessage(error) })
        return false
      }
    },
  }
}

export const refusalMessage = (error: unknown): string =>
  error instanceof Error && error.message !== ''
    ? error.message
    : 'It could not be sent. Please try again in a moment.'
