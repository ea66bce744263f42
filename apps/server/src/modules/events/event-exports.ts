import { Readable, type Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { AppError, isUnavailable } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { retryWhileUnavailable } from '../../kernel/retry-while-unavailable.ts'
import { personIn } from '../../kernel/signature.ts'
import type { AuditEntry } from '../operations/index.ts'
import type { ExportPage } from './events.store.ts'
import { admitExport, type TakenPlace } from './export-places.ts'

/**
 * A client that reads nothing for this long occupies a place that others may want. At 10 kB/s the largest page still
 * gets through.
 */
const stalledMs = 120_000
/** When the server stops, short exports may finish. */
const stopPatienceMs = 3_000

type BreakReason =
  | 'client_left'
  | 'client_stalled'
  | 'place_needed'
  | 'store_failed'
  | 'access_withdrawn'
  | 'server_stopping'

/** What the lines are, as the audit calls them. */
export type AuditedTable = keyof typeof auditActions

const auditActions = {
  events: 'events_exported',
  participants: 'participants_exported',
  responses: 'responses_exported',
  trials: 'trials_exported',
  messages: 'messages_exported',
  states: 'states_exported',
  playback: 'playback_exported',
  devices: 'devices_exported',
  edges: 'edges_exported',
  payments: 'payments_exported',
  assignments: 'assignments_exported',
  identities: 'identities_exported',
  agentTurns: 'agent_turns_exported',
  codebook: 'codebook_exported',
  archive: 'archive_exported',
  person: 'participant_exported',
} as const

interface BrokenExport {
  experimentId: string
  table: AuditedTable
  /** Number of lines on their way to the client when it broke off. */
  lines: number
  reason: BreakReason
  err?: unknown
}

interface ExportRequest<Position> {
  experimentId: string
  table: AuditedTable
  /** What narrows the export down, for the audit. */
  filters: Record<string, unknown>
  actor: string
  requestId: string
  /** The response that the lines are written to. */
  to: Writable
  /** The next page after a position; the first for null. */
  read(after: Position | null): Promise<ExportPage<Position, string | Uint8Array>>
  /** Rejects once the actor may no longer export the experiment. */
  askAgain(): Promise<unknown>
  onBroken(broken: BrokenExport): void
}

interface Run extends TakenPlace, Pick<ExportRequest<unknown>, 'to'> {
  state: BrokenExport
  /** All lines have been passed to the response. */
  isWhole: boolean
  ended: PromiseWithResolvers<void>
}

interface EventExportDeps {
  clock: Clock
  audit(entry: AuditEntry): Promise<void>
  onEnded(outcome: 'complete' | 'broken'): void
  onBackgroundError(error: unknown): void
}

export interface EventExports {
  /** The lines, to be written to the response. The first page is already read: a failure up to then is a refusal. */
  start<Position>(request: ExportRequest<Position>): Promise<Readable>
  /** Resolves when no export is under way and each has been audited. */
  stop(): Promise<void>
}

/**
 * Exports under way. A page is read once the client has taken the previous one, so a slow client holds nothing of the
 * database. A broken export can be told from a complete one: by the client (the response is cut off, not ended), in
 * the log and in the audit.
 */
// One function, because admission, progress and end of an export all change who has a place.
export function createEventExports({
  clock,
  audit,
  onEnded,
  onBackgroundError,
}: EventExportDeps): EventExports {
  const running = new Set<Run>()
  /** Those that have a place, the one whose reader took a page longest ago first. */
  const places = new Set<Run>()
  let isStopping = false

  function admit({
    experimentId,
    table,
    actor,
    to,
  }: Pick<ExportRequest<unknown>, 'experimentId' | 'table' | 'actor' | 'to'>): Run {
    if (isStopping) throw new AppError('UNAVAILABLE', {}, 'This instance is shutting down.')
    const wanted = { person: personIn(actor), experimentId }
    const admission = admitExport([...places], wanted)
    if (admission.kind === 'refused')
      throw new AppError('UNAVAILABLE', {}, 'Too many exports are running. Try again when one has ended.')
    if (admission.kind === 'instead') {
      // Its place is free at once; it counts as under way until it has been audited.
      places.delete(admission.of)
      breakOff(admission.of, 'place_needed')
    }
    const state: BrokenExport = { experimentId, table, lines: 0, reason: 'client_left' }
    const run = { ...wanted, to, state, isWhole: false, ended: Promise.withResolvers<void>() }
    running.add(run)
    places.add(run)
    return run
  }

  /** Its reader has taken a page: now it is the last of those who have a place. */
  function takeTurn(run: Run): void {
    if (places.delete(run)) places.add(run)
  }

  function release(run: Run): void {
    running.delete(run)
    places.delete(run)
    run.ended.resolve()
  }

  async function untilEnded(
    run: Run,
    { actor, requestId, onBroken }: Pick<ExportRequest<unknown>, 'actor' | 'requestId' | 'onBroken'>,
  ): Promise<void> {
    const watch = watchProgress(run, () => breakOff(run, 'client_stalled'))
    const hasArrived = await finished(run.to).then(
      () => true,
      () => false,
    )
    clearInterval(watch)
    const isComplete = hasArrived && run.isWhole
    onEnded(isComplete ? 'complete' : 'broken')
    if (!isComplete) onBroken(run.state)
    const { experimentId, table, lines, reason } = run.state
    const sent = { requestId, [table]: lines }
    await audit({
      at: clock.now(),
      actor,
      action: isComplete ? 'export_completed' : 'export_broken',
      subject: experimentId,
      details: isComplete ? sent : { ...sent, reason },
    })
  }

  return {
    async start(request) {
      const { experimentId, table, filters, actor, requestId } = request
      const run = admit(request)
      try {
        const first = await request.read(null)
        const details = { requestId, ...filters }
        const action = auditActions[table]
        await audit({ at: clock.now(), actor, action, subject: experimentId, details })
        untilEnded(run, request)
          .catch(onBackgroundError)
          .finally(() => release(run))
        return Readable.from(linesFrom(run, first, request, () => takeTurn(run)))
      } catch (error) {
        release(run)
        throw error
      }
    },
    async stop() {
      isStopping = true
      const late = setTimeout(() => {
        for (const run of running) breakOff(run, 'server_stopping')
      }, stopPatienceMs)
      await Promise.all([...running].map(({ ended }) => ended.promise))
      clearTimeout(late)
    },
  }
}

async function* linesFrom<Position>(
  run: Run,
  first: ExportPage<Position, string | Uint8Array>,
  { askAgain, read }: ExportRequest<Position>,
  onPage: () => void,
): AsyncGenerator<string | Uint8Array> {
  const failing = (reason: BreakReason) => (err: unknown) => {
    Object.assign(run.state, { reason, err })
    throw err
  }
  let page = first
  for (;;) {
    run.state.lines += page.events
    if (page.lines.length > 0) yield page.lines
    onPage()
    if (page.next === null) break
    // At the same time; of what was read for somebody who was refused, nothing is sent.
    const coming = read(page.next)
    coming.catch(() => undefined)
    await retryWhileUnavailable(askAgain).catch((err: unknown) =>
      failing(isRefusal(err) ? 'access_withdrawn' : 'store_failed')(err),
    )
    page = await coming.catch(failing('store_failed'))
  }
  run.isWhole = true
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
    const now = `${state.lines} ${to.writableLength}`
    if (now === last && to.writableLength > 0) onStalled()
    last = now
  }, stalledMs)
  return watch.unref()
}
