import { type StartedTry, type TryBody, tryRoutes } from '@atrium/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useApi } from '../session/session.ts'

export type TryOptions = Required<Pick<TryBody, 'speed' | 'fill'>> & { startAt: string | undefined }

export type TryState =
  | { kind: 'starting' }
  | { kind: 'playing'; started: StartedTry }
  | { kind: 'failed'; error: Error }

/** Plays the document with these options, and again whenever they change. */
export function useTry(experimentId: string, document: unknown, options: TryOptions) {
  const api = useApi()
  const [state, setState] = useState<TryState>({ kind: 'starting' })
  const [round, setRound] = useState(0)
  /** Tries whose link somebody has: these stay for a day. */
  const shared = useRef(new Set<string>())
  const { speed, fill, startAt } = options

  useEffect(() => {
    let isOver = false
    let playing: string | undefined
    /** If this fails, the platform deletes it after a day. */
    const stop = (tryId: string) =>
      void api.call(tryRoutes.stop, { params: { experimentId, tryId } }).catch(() => undefined)
    setState({ kind: 'starting' })
    const body = { definition: document, speed, fill, ...(startAt !== undefined && { startAt }) }
    api.call(tryRoutes.start, { params: { experimentId }, body }).then(
      (started) => {
        if (isOver) return stop(started.tryId)
        playing = started.tryId
        setState({ kind: 'playing', started })
      },
      (error: Error) => {
        if (!isOver) setState({ kind: 'failed', error })
      },
    )
    return () => {
      isOver = true
      if (playing !== undefined && !shared.current.has(playing)) stop(playing)
    }
  }, [api, experimentId, document, speed, fill, startAt, round])

  const again = useCallback(() => setRound((now) => now + 1), [])

  /** Of this study, in all windows. */
  async function clear(): Promise<void> {
    const params = { experimentId }
    const { tries } = await api.call(tryRoutes.list, { params })
    for (const { tryId } of tries) await api.call(tryRoutes.stop, { params: { experimentId, tryId } })
    again()
  }

  return { state, again, clear, share: (tryId: string) => void shared.current.add(tryId) }
}
