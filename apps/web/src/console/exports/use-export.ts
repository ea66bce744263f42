import { useRef, useState } from 'react'
import type { Api } from '../session/authorised-api.ts'
import { useApi } from '../session/session.ts'
import { type ExportFile, exportFileName } from './export-choice.ts'
import { openFile } from './open-file.ts'
import { type Received, receive } from './receive.ts'
import { openSink } from './sinks.ts'

export type ExportState =
  | { kind: 'idle' }
  | { kind: 'running'; received: Received; isInterrupted: boolean }
  | { kind: 'done'; received: Received; fileName: string }
  | { kind: 'cancelled' }
  | { kind: 'failed'; error: Error }

/** Asks for a file, or for the rest of it where the route has `resume`. */
export type RequestFile = (api: Api, signal: AbortSignal, resume: string | undefined) => Promise<Response>

/** Saves what `request` answers in a file with this name and the date. */
export function useExport(file: ExportFile, request: RequestFile) {
  const api = useApi()
  const [state, setState] = useState<ExportState>({ kind: 'idle' })
  const running = useRef<AbortController>(undefined)
  const start = async () => {
    const controller = new AbortController()
    running.current = controller
    const fileName = exportFileName(file, new Date())
    try {
      // The dialog comes first: browsers open it only right after a click.
      const sink = await openSink(fileName, file.ending)
      if (!sink) return
      let latest: Received = { bytes: 0, lines: 0 }
      const show = (received: Received, isInterrupted = false) => {
        latest = received
        setState({ kind: 'running', received, isInterrupted })
      }
      show(latest)
      const { signal } = controller
      const bytes = openFile({
        request: (resume) => request(api, signal, resume),
        signal,
        onInterrupted: () => show(latest, true),
      })
      const received = await receive(bytes, sink, show)
      setState({ kind: 'done', received, fileName })
    } catch (error) {
      if (controller.signal.aborted) setState({ kind: 'cancelled' })
      else setState({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
    }
  }
  return { state, start, cancel: () => running.current?.abort() }
}
