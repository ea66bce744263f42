import { type LiveExperiment, liveRoutes } from '@atrium/contract'
import { useDocumentVisibility } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Api } from '../session/authorised-api.ts'
import { useApi } from '../session/session.ts'
import { applied, readPushes } from './live-stream.ts'

/** While nothing is pushed. */
const pollMs = 3_000
/** A stream that worked ends when the instance restarts or the token expires. */
const reopenMs = 1_000
const retryMs = 10_000
/** The server gives a sign of life every 15 s. */
const silentMs = 40_000

/**
 * Who is where right now: pushed, and asked for every few seconds where that does not work (some proxies do not let streams
 * through). Nothing is open while the tab is hidden: a browser has only six connections to a server.
 */
export function useLive(experimentId: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  const isVisible = useDocumentVisibility() === 'visible'
  const [isPushed, setPushed] = useState(false)
  const query = useQuery({
    queryKey: liveKey(experimentId),
    queryFn: ({ signal }) => api.call(liveRoutes.read, { params: { experimentId }, signal }),
    refetchInterval: isPushed ? false : pollMs,
  })
  useEffect(() => {
    if (!isVisible) return
    const stopping = new AbortController()
    const { signal } = stopping
    const onLive = (change: (before: LiveExperiment | undefined) => LiveExperiment) => {
      queryClient.setQueryData(liveKey(experimentId), change)
      setPushed(true)
    }
    follow({ api, experimentId, signal, onLive, onBroken: () => setPushed(false) })
    return () => stopping.abort()
  }, [api, queryClient, experimentId, isVisible])
  return { query, isPushed }
}

const liveKey = (experimentId: string) => ['experiments', experimentId, 'live']

interface Following {
  api: Api
  experimentId: string
  signal: AbortSignal
  onLive: (change: (before: LiveExperiment | undefined) => LiveExperiment) => void
  onBroken: () => void
}

/** Keeps a stream open until the signal. Why one breaks does not matter here: whoever polls meanwhile sees the reason. */
async function follow({ api, experimentId, signal, onLive, onBroken }: Following): Promise<void> {
  while (!signal.aborted) {
    const silence = new AbortController()
    let watch: number | undefined
    const onSign = () => {
      clearTimeout(watch)
      watch = window.setTimeout(() => silence.abort(), silentMs)
    }
    let hasWorked = false
    try {
      onSign()
      const { body } = await api.callRaw(liveRoutes.stream, {
        params: { experimentId },
        signal: AbortSignal.any([signal, silence.signal]),
      })
      if (body)
        await readPushes(
          body,
          (push) => {
            hasWorked = true
            onLive((before) => applied(before, push))
          },
          onSign,
        )
    } catch {
      // Asked for instead, as long as nothing is pushed.
    } finally {
      clearTimeout(watch)
    }
    if (signal.aborted) return
    onBroken()
    await pause(hasWorked ? reopenMs : retryMs, signal)
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
