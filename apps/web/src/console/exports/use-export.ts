import { useRef, useState } from 'react'
import type { Api } from '../session/authorised-api.ts'
import { useApi } from '../session/session.ts'
import { type ExportFile, exportFileName } from './file-name.ts'
import { type Received, receive } from './receive.ts'
import { openSink } from './sinks.ts'

export type ExportState =
  | { kind: 'idle' }
  | { kind: 'running'; received: Received }
  | { kind: 'done'; received: Received; fileName: string }
  | { kind: 'cancelled' }
  | { kind: 'failed'; error: Error }

/** Saves what `request` answers in a file with this name and the date. */
export function useExport(file: ExportFile, request: (api: Api, signal: AbortSignal) => Promise<Response>) {
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
      setState({ kind: 'running', received: { bytes: 0, lines: 0 } })
      const { body } = await request(api, controller.signal).catch(async (error: unknown) => {
        await sink.abort()
        throw error
      })
      const empty = new ReadableStream<Uint8Array<ArrayBuffer>>({ start: (stream) => stream.close() })
      const received = await receive(body ?? empty, sink, (step) =>
        setState({ kind: 'running', received: step }),
      )
      setState({ kind: 'done', received, fileName })
    } catch (error) {
      if (controller.signal.aborted) setState({ kind: 'cancelled' })
      else setState({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
    }
  }
  return { state, start, cancel: () => running.current?.abort() }
}
