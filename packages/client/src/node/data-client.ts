import { createHash } from 'node:crypto'
import { type ExportedRow, type ExportQuery, type ExportTable, experimentRoutes } from '@atrium/contract'
import { parseRetryAfter, retryDelayMs } from '../backoff.ts'
import { type Clock, systemClock } from '../clock.ts'
import { ApiRefused, asError, NoAnswer } from '../errors.ts'
import { type RunningHash, type WholeFileOptions, wholeFile } from '../exports/whole-file.ts'
import { dataOf } from '../http.ts'
import { isPassing } from '../verdict.ts'

/** About two minutes, with the usual back-off. After that somebody has to look, and continues later. */
const maxFailures = 10

/** What to read: a table, its format, and filters. */
export type DataQuery = Omit<ExportQuery, 'cursor' | 'resume' | 'identity'>

/** Tables that can be read page by page. */
type PagedTable = Exclude<ExportTable, 'agent_turns' | 'codebook'>

export interface DataPage {
  /** Complete lines. The pages put together are the file. */
  text: string
  /** Where the next page begins; null on the last page. Keep it to continue after an interruption. */
  next: string | null
}

interface DataClientOptions {
  baseUrl: string
  /** An API key (`atk_…`) with read access, or an ID token. */
  key: string
  fetch?: typeof globalThis.fetch
  clock?: Clock
  random?: () => number
}

export type DataClient = ReturnType<typeof createDataClient>

/** R49: reads the data of experiments, for scripts. */
export function createDataClient({
  baseUrl,
  key,
  fetch = globalThis.fetch,
  clock = systemClock,
  random = Math.random,
}: DataClientOptions) {
  /** One request; the body is still to be read. */
  async function ask(experimentId: string, query: ExportQuery): Promise<Response> {
    const path = experimentRoutes.export.path.replace(':experimentId', encodeURIComponent(experimentId))
    const address = `${baseUrl}${path}?${new URLSearchParams(query)}`
    const answer = await fetch(address, { headers: { authorization: `Bearer ${key}` } }).catch(noAnswer)
    if (answer.status === 200) return answer
    const retryAfterMs = parseRetryAfter(answer.headers.get('retry-after'), clock.now())
    const text = await answer.text().catch(noAnswer)
    // Throws, since this is no success.
    dataOf('plain', Math.max(answer.status, 300), text, retryAfterMs)
    throw new NoAnswer(`status ${answer.status}`)
  }

  async function readPage(experimentId: string, query: ExportQuery): Promise<DataPage> {
    const answer = await ask(experimentId, query)
    // A page that breaks off rejects, so a page that arrives is whole.
    const text = await answer.text().catch(noAnswer)
    return { text, next: answer.headers.get('x-next-cursor') }
  }

  /** While the network or the server has a problem of its own. */
  async function beforeRetry(error: unknown, failures: number): Promise<void> {
    if (!isPassing(error) || failures >= maxFailures) throw error
    const retryAfterMs = error instanceof ApiRefused ? error.retryAfterMs : undefined
    const delayMs = retryDelayMs(failures, retryAfterMs, random)
    await new Promise<void>((resolve) => void clock.after(delayMs, resolve))
  }

  /** A page, asked for again if need be. */
  async function page(experimentId: string, query: DataQuery, cursor = 'start'): Promise<DataPage> {
    for (let failures = 1; ; failures++)
      try {
        return await readPage(experimentId, { ...query, cursor })
      } catch (error) {
        await beforeRetry(error, failures)
      }
  }

  async function* pages(experimentId: string, query: DataQuery, from = 'start'): AsyncGenerator<DataPage> {
    for (let cursor: string | null = from; cursor !== null; ) {
      const read = await page(experimentId, query, cursor)
      yield read
      cursor = read.next
    }
  }

  return {
    page,
    /** From a cursor on, or from the start. */
    pages,
    /** The rows of a table, as objects. */
    async *rows<Table extends PagedTable>(
      experimentId: string,
      table: Table,
      filters: Omit<DataQuery, 'table' | 'format'> = {},
    ): AsyncGenerator<ExportedRow<Table>> {
      for await (const { text } of pages(experimentId, { ...filters, table, format: 'jsonl' }))
        for (const line of text.split('\n')) if (line !== '') yield JSON.parse(line)
    },
    /** A whole file of any format, piece by piece; continued if the connection breaks off. */
    file: (
      experimentId: string,
      query: DataQuery,
      options: Partial<Pick<WholeFileOptions, 'hash' | 'held' | 'onBegun'>> = {},
    ): AsyncGenerator<Uint8Array> =>
      wholeFile({
        hash: runningSha256(),
        ...options,
        async open(resume) {
          const answer = await ask(experimentId, { ...query, ...(resume === undefined ? {} : { resume }) })
          if (answer.headers.has('x-export-id')) return answer
          await answer.body?.cancel()
          throw new NoAnswer('something other than the platform has responded')
        },
        beforeRetry,
      }),
  }
}

function noAnswer(error: unknown): never {
  throw new NoAnswer(asError(error).message, { cause: error })
}

export function runningSha256(): RunningHash {
  const hash = createHash('sha256')
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.copy().digest('hex') }
}
