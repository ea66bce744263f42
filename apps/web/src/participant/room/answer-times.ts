import type { AnswerParadata, RoomActionPayload } from '@atrium/contract'
import { tryStorage } from '../journey/remembered.ts'
import { type DraftPlace, typedKey } from './typed.ts'

/** What is said of an answer when it is sent. Times are absent for what was never visible. */
export type AnswerTiming = Pick<
  RoomActionPayload<'submit_response'>,
  'responseTime' | 'firstInteractionMs' | 'changes' | 'paradata'
>

/** R93: what else is measured of answers, in studies that collect it. */
export interface AnswerMeter {
  painted(id: string): void
  /** Measures a component on the page until the returned function is called. */
  listenTo(component: HTMLElement, id: string): () => void
  paradataOf(id: string): AnswerParadata | undefined
}

/** What is known of a component in one visit to a state. */
interface Measured {
  /** When the first paint in which it was visible was, on the time line of this page. */
  paintedAt?: number
  /** The next two count from that paint. */
  firstInteractionMs?: number
  lastChangeMs?: number
  /** How often an answer was given: what is typed in one go, or dragged, is one. */
  given: number
}

export interface AnswerTimesDeps {
  /** Monotonic: setting the clock of the device changes nothing. */
  steadyNow(): number
  /** By the clock of the device, which anybody can set. */
  wallNow(): number
  /** The server's time, as estimated when the visit begins: late by as long as that took to arrive. */
  serverNow(): number
  place: DraftPlace
  /** Given the time that this counts by. */
  meterIn?: ((place: DraftPlace, now: () => number) => AnswerMeter) | undefined
  /** Of this tab, unless a test passes another. */
  storage?: Pick<Storage, 'getItem' | 'setItem'>
}

/** Connections are rarely slower, and clocks rarely set by less. */
const setMs = 2_000

export type AnswerTimes = ReturnType<typeof createAnswerTimes>

/** Measures the answers of one visit to a state. What was measured before a reload of this tab goes on. */
export function createAnswerTimes({ steadyNow, wallNow, serverNow, place, ...deps }: AnswerTimesDeps) {
  const key = `${typedKey(place.participantId)}times`
  const here = `${place.roomId}/${place.visit}`
  // A reload changes every clock of a page but this one, and keeps its pace by a clock that nobody can set.
  const wallAheadMs = wallNow() - steadyNow()
  const now = (): number => steadyNow() + wallAheadMs
  const serverAheadMs = serverNow() - now()
  const meter = deps.meterIn?.(place, now)
  const measured = load()
  /** Components with an answer that is still being given. */
  const underWay = new Set<string>()

  function load(): Map<string, Measured> {
    try {
      const kept: { here?: string; serverAheadMs?: number; measured?: Record<string, Measured> } = JSON.parse(
        (deps.storage ?? sessionStorage).getItem(key) ?? '{}',
      )
      if (kept.here !== here) return new Map()
      // Before this was kept, the time line was the server's.
      const movedMs = (kept.serverAheadMs ?? 0) - serverAheadMs
      const setBackMs = Math.abs(movedMs) > setMs ? movedMs : 0
      const onThisPage = ({ paintedAt, ...one }: Measured): Measured =>
        paintedAt === undefined ? one : { ...one, paintedAt: paintedAt + setBackMs }
      return new Map(Object.entries(kept.measured ?? {}).map(([id, one]) => [id, onThisPage(one)]))
    } catch {
      return new Map()
    }
  }

  function change(id: string, news: Partial<Measured>): void {
    measured.set(id, { ...(measured.get(id) ?? { given: 0 }), ...news })
    // Where nothing can be stored, times count from a reload on.
    tryStorage(() =>
      (deps.storage ?? sessionStorage).setItem(
        key,
        JSON.stringify({ here, serverAheadMs, measured: Object.fromEntries(measured) }),
      ),
    )
  }

  /** Since the first paint. */
  function sincePaint(id: string): number | undefined {
    const paintedAt = measured.get(id)?.paintedAt
    return paintedAt === undefined ? undefined : Math.max(0, Math.round(now() - paintedAt))
  }

  function paradataOf(id: string): AnswerParadata | undefined {
    try {
      return meter?.paradataOf(id)
    } catch {
      // The answer matters more.
      return undefined
    }
  }

  return {
    isPainted: (id: string): boolean => measured.get(id)?.paintedAt !== undefined,
    painted(id: string): void {
      if (measured.get(id)?.paintedAt !== undefined) return
      change(id, { paintedAt: now() })
      meter?.painted(id)
    },
    listenTo: (component: HTMLElement, id: string) => meter?.listenTo(component, id),
    /** Focus, press or key. */
    touched(id: string): void {
      const ms = sincePaint(id)
      if (ms !== undefined && measured.get(id)?.firstInteractionMs === undefined)
        change(id, { firstInteractionMs: ms })
    },
    changed(id: string): void {
      const ms = sincePaint(id)
      const given = (measured.get(id)?.given ?? 0) + (underWay.has(id) ? 0 : 1)
      underWay.add(id)
      change(id, { given, ...(ms !== undefined && { lastChangeMs: ms }) })
    },
    /** The next change gives another answer. */
    settled: (id: string): void => void underWay.delete(id),
    timingOf(id: string): AnswerTiming {
      const { firstInteractionMs, lastChangeMs = sincePaint(id), given = 0 } = measured.get(id) ?? {}
      const paradata = paradataOf(id)
      return {
        ...(lastChangeMs !== undefined && { responseTime: lastChangeMs }),
        ...(firstInteractionMs !== undefined && { firstInteractionMs }),
        changes: Math.max(0, given - 1),
        ...(paradata && { paradata }),
      }
    },
  }
}
