import { Readable, type Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { AppError, isUnavailable } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { AuditEntry } from '../operations/index.ts'
import type { EventStore, ExportPage } from './events.store.ts'

/** Each export holds a page or two in memory, and a connection. */
const mostExports = { inAll: 32, perActor: 16 }
/**
 * A client that reads nothing for this long occupies a place that others may want. At 10 kB/s the largest page still
 * gets through.
 */
const stalledMs = 120_000
/** When the server stops, short exports may finish. */
const stopPatienceMs = 3_000

type BreakReason = 'client_left' | 'client_stalled' | 'store_failed' | 'access_withdrawn' | 'server_stopping'

interface BrokenExport {
  experimentId: string
  /** Number of events on their way to the client when it broke off. */
  events: number
  reason: BreakReason
  err?: unknown
}

interface ExportRequest {
  experimentId: string
  actor: string
  requestId: string
  /** The response that the lines are written to. */
  to: Writable
  /** Rejects once the actor may no longer export the experiment. */
  askAgain(): Promise<unknown>
  onBroken(broken: BrokenExport): void
}

interface Run extends Pick<ExportRequest, 'actor' | 'to'> {
  state: BrokenExport
  /** All lines have been passed to the response. */
  isWhole: boolean
  ended: PromiseWithResolvers<void>
}

interface EventExportDeps {
  store: Pick<EventStore, 'exportPage'>
  clock: Clock
  audit(entry: AuditEntry): Promise<void>
  onEnded(outcome: 'complete' | 'broken'): void
  onBackgroundError(error: unknown): void
}

export type EventExports = ReturnType<typeof createEventExports>

/**
 * Exports under way. A page is read once the client has taken the previous one, so a slow client holds nothing of the
 * database. A broken export can be told from a complete one: by the client (the response is cut off, not ended), in
 * the log and in the audit.
 */
export function createEventExports({ store, clock, audit, onEnded, onBackgroundError }: EventExportDeps) {
  const running = new Set<Run>()
  let isStopping = false

  function admit({ experimentId, actor, to }: ExportRequest): Run {
    if (isStopping) throw new AppError('UNAVAILABLE', {}, 'This instance is shutting down.')
    const own = [...running].filter((run) => run.actor === actor).length
    if (running.size >= mostExports.inAll || own >= mostExports.perActor)
      throw new AppError('UNAVAILABLE', {}, 'Too many exports are running. Try again when one has ended.')
    const state: BrokenExport = { experimentId, events: 0, reason: 'client_left' }
    const run = { actor, to, state, isWhole: false, ended: Promise.withResolvers<void>() }
    running.add(run)
    return run
  }

  function release(run: Run): void {
    running.delete(run)
    run.ended.resolve()
  }

  async function* linesFrom(
    run: Run,
    first: ExportPage,
    { askAgain }: ExportRequest,
  ): AsyncGenerator<string> {
    const failing = (reason: BreakReason) => (err: unknown) => {
      Object.assign(run.state, { reason, err })
      throw err
    }
    let page = first
    for (;;) {
      run.state.events += page.events
      if (page.events > 0) yield page.lines
      if (page.next === null) break
      await askAgain().catch((err: unknown) =>
        failing(isRefusal(err) ? 'access_withdrawn' : 'store_failed')(err),
      )
      page = await store.exportPage(run.state.experimentId, page.next).catch(failing('store_failed'))
    }
    run.isWhole = true
  }

  async function untilEnded(run: Run, { actor, requestId, onBroken }: ExportRequest): Promise<void> {
    const watch = watchProgress(run, () => breakOff(run, 'client_stalled'))
    const hasArrived = await finished(run.to).then(
      () => true,
      () => false,
    )
    clearInterval(watch)
    const isComplete = hasArrived && run.isWhole
    onEnded(isComplete ? 'complete' : 'broken')
    if (!isComplete) onBroken(run.state)
    const { experimentId, events, reason } = run.state
    await audit({
      at: clock.now(),
      actor,
      action: isComplete ? 'export_completed' : 'export_broken',
      subject: experimentId,
      details: isComplete ? { requestId, events } : { requestId, events, reason },
    })
  }

  return {
    /** The lines, to be written to the response. The first page is already read: a failure up to then is a refusal. */
    async start(request: ExportRequest): Promise<Readable> {
      const { experimentId, actor, requestId } = request
      const run = admit(request)
      try {
        const first = await store.exportPage(experimentId, null)
        const details = { requestId }
        await audit({ at: clock.now(), actor, action: 'events_exported', subject: experimentId, details })
        untilEnded(run, request)
          .catch(onBackgroundError)
          .finally(() => release(run))
        return Readable.from(linesFrom(run, first, request))
      } catch (error) {
        release(run)
        throw error
      }
    },
    /** Resolves when no export is under way and each has been audited. */
    async stop(): Promise<void> {
      isStopping = true
      const late = setTimeout(() => {
        for (const run of running) breakOff(run, 'server_stopping')
      }, stopPatienceMs)
      await Promise.all([...running].map(({ ended }) => ended.promise))
      clearTimeout(late)
    },
  }
}

const isRefusal = (error: unknown): boolean => error instanceof AppError && !isUnavailable(error)

function breakOff({ state, to }: Run, reason: BreakReason): void {
  state.reason = reason
  // Not ended: the client must notice that something is missing.
  to.destroy()
}

function watchProgress({ state, to }: Run, onStalled: () => void): NodeJS.Timeout {
  let last = ''
  const watch = setInterval(() => {
    const now = `${state.events} ${to.writableLength}`
    if (now === last && to.writableLength > 0) onStalled()
    last = now
  }, stalledMs)
  return watch.unref()
}
