import { Readable } from 'node:stream'
import { AppError, isUnavailable } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { coalesced } from '../../../kernel/coalesce.ts'
import { personIn } from '../../../kernel/signature.ts'
import type { Bus } from '../../../ports/bus.ts'
import type { createLiveFeed, Watcher } from './live-feed.ts'

/** Each holds a connection and up to a picture of the experiment in memory. A person has few windows open. */
const maxStreams = { inAll: 500, perPerson: 10 }
/** A client that has taken nothing for this long is gone, or will never catch up. */
const stalledMs = 60_000
/** Of somebody whose credential does not say when it expires. */
const longestMs = 60 * 60_000
/** R15: known within 5 s even if the bus is silent, which leaves two seconds for the question itself. */
const usualConfirmEveryMs = 3_000
/** How long somebody may take to read the rest of a stream that has ended. */
const usualLingerMs = 5_000

interface StreamRequest {
  experimentId: string
  actor: string
  /** The API key that the stream was opened with. */
  keyId?: string | undefined
  /** When the credential expires. */
  expiresAt: number | undefined
  /** Rejects once the actor may no longer see the experiment. */
  askAgain(): Promise<unknown>
}

interface LiveStreamsDeps {
  feed: ReturnType<typeof createLiveFeed>
  bus: Pick<Bus, 'subscribe'>
  clock: Clock
  /** The usual ones unless a test says otherwise. */
  lingerMs?: number
  confirmEveryMs?: number
}

interface Stream extends Pick<StreamRequest, 'experimentId' | 'keyId'> {
  person: string
  /** Whether they may still watch, and do. */
  confirm(): Promise<boolean>
  end(): void
}

export type LiveStreams = ReturnType<typeof createLiveStreams>

/** RM145: the streams of those who watch, as server-sent events. */
export function createLiveStreams({
  feed,
  bus,
  clock,
  lingerMs = usualLingerMs,
  confirmEveryMs = usualConfirmEveryMs,
}: LiveStreamsDeps) {
  const running = new Set<Stream>()
  let isStopping = false

  function confirmThose(isMeant: (stream: Stream) => boolean): void {
    for (const stream of running)
      if (isMeant(stream)) void stream.confirm().then((isAllowed) => isAllowed || stream.end())
  }
  bus.subscribe('keys_revoked', ({ keyIds }) => confirmThose(({ keyId = '' }) => keyIds.includes(keyId)))
  bus.subscribe('shares_changed', (changed) =>
    confirmThose(({ experimentId }) => experimentId === changed.experimentId),
  )

  function admit(person: string): void {
    if (isStopping) throw new AppError('UNAVAILABLE', {}, 'This instance is shutting down.')
    const own = [...running].filter((stream) => stream.person === person).length
    if (running.size >= maxStreams.inAll || own >= maxStreams.perPerson)
      throw new AppError('UNAVAILABLE', {}, 'Too many live views are open. Close one and try again.')
  }

  return {
    read: feed.read,
    async open({ experimentId, actor, keyId, expiresAt, askAgain }: StreamRequest): Promise<Readable> {
      const person = personIn(actor)
      admit(person)
      const { body, watcher, hasStalled } = createBody({ clock, lingerMs })
      const mayWatch = createConfirmation(askAgain)
      const confirm = async () => !hasStalled() && (await mayWatch())
      const place: Stream = { person, experimentId, keyId, confirm, end: watcher.end }
      running.add(place)
      try {
        const { first, leave } = await feed.join(experimentId, watcher)
        const leftMs = Math.min((expiresAt ?? Number.POSITIVE_INFINITY) - clock.now(), longestMs)
        const expiry = setTimeout(watcher.end, Math.max(0, leftMs)).unref()
        const asking = setInterval(() => confirmThose((one) => one === place), confirmEveryMs).unref()
        body.once('close', () => {
          clearTimeout(expiry)
          clearInterval(asking)
          leave()
          running.delete(place)
        })
        watcher.push(first, () => first)
        // It began to stop while the first picture was drawn.
        if (isStopping) watcher.end()
        return body
      } catch (error) {
        running.delete(place)
        throw error
      }
    },
    /** Ends all streams; those who watched continue on another instance. */
    stop(): void {
      isStopping = true
      for (const { end } of running) end()
    },
  }
}

interface BodyOptions {
  clock: Clock
  lingerMs: number
}

/** Many may ask at once; a database that is away for a moment says nothing about access. */
const createConfirmation = (askAgain: () => Promise<unknown>) =>
  coalesced(() =>
    askAgain().then(
      () => true,
      (error: unknown) => !(error instanceof AppError) || isUnavailable(error),
    ),
  )

/** A slow reader never has more than one message waiting: once it has caught up, it gets the whole picture. */
function createBody({ clock, lingerMs }: BodyOptions): {
  body: Readable
  watcher: Watcher
  hasStalled(): boolean
} {
  let fullSince: number | null = null
  let missed: (() => string) | null = null
  let hasEnded = false
  const send = (text: string): void => {
    if (body.destroyed || hasEnded) return
    if (!body.push(text)) fullSince ??= clock.now()
  }
  const body = new Readable({
    read() {
      fullSince = null
      const whole = missed
      missed = null
      if (whole) send(whole())
    },
  })
  const end = (): void => {
    if (hasEnded) return
    hasEnded = true
    // What is left would not be read.
    if (fullSince !== null) return void body.destroy()
    body.push(null)
    // Somebody who reads nothing more would otherwise keep their place until they hang up.
    setTimeout(() => body.destroy(), lingerMs).unref()
  }
  return {
    body,
    hasStalled: () => fullSince !== null && clock.now() - fullSince > stalledMs,
    watcher: {
      push(change, whole) {
        if (fullSince === null) send(change)
        else missed = whole
      },
      beat: () => fullSince === null && send(': nothing new\n\n'),
      end,
    },
  }
}
