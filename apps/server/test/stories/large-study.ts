import { experimentRoutes } from '@atrium/contract'
import { numberedEvent, type Server, succeeded } from '@atrium/testkit'
import type { castOf } from './cast.ts'

/** More than the buffers between two processes hold (up to 36 MiB a socket on Linux), so that an unread export stalls. */
const megabytes = 48
const eventsPerBatch = 2
const text = 'x'.repeat(480_000)

/** An experiment with a large export: `events` events, numbered from 1. */
export async function openLargeStudy(
  cast: ReturnType<typeof castOf>,
): Promise<{ experimentId: string; events: number }> {
  const experimentId = await cast.open()
  const { session } = await cast.participant(experimentId)
  for (let batch = 0; batch < megabytes; batch++) {
    const first = batch * eventsPerBatch + 1
    const events = [first, first + 1].map((value) => numberedEvent(value, { data: { value, text } }))
    succeeded(await cast.send(session, events))
  }
  return { experimentId, events: megabytes * eventsPerBatch }
}

export interface OpenExport {
  requestId: string
  /** The number of lines received so far. */
  lines(): number
  /** Reads everything to the end; rejects if the export is cut off. */
  rest(): Promise<void>
  leave(): void
}

/** Requests an export and reads its first chunk. */
export async function openExport(
  server: Server,
  token: string,
  experimentId: string,
  query: Record<string, string> = {},
): Promise<OpenExport> {
  const search = new URLSearchParams(query)
  const path = `${experimentRoutes.export.path.replace(':experimentId', experimentId)}?${search}`
  const controller = new AbortController()
  const response = await fetch(server.http + path, {
    headers: { authorization: `Bearer ${token}` },
    signal: controller.signal,
  })
  const reader = response.body?.getReader()
  if (!response.ok || !reader) throw new Error(`the export was refused: ${response.status}`)
  let lines = 0
  const read = async (): Promise<boolean> => {
    const { done, value } = await reader.read()
    lines +=
      Buffer.from(value ?? [])
        .toString('latin1')
        .split('\n').length - 1
    return !done
  }
  await read()
  return {
    requestId: response.headers.get('x-request-id') ?? '',
    lines: () => lines,
    async rest() {
      while (await read());
    },
    leave: () => controller.abort(),
  }
}
