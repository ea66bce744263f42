import type { AnswerParadata, RoomActionPayload } from '@atrium/contract'
import type { DraftPlace } from './drafts.ts'
import { typedKey } from './typed.ts'

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
  /** Server time of the first paint in which it was visible: a reload changes every other clock of a page. */
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
  /** The server's time, as estimated when the visit begins. */
  serverNow(): number
  place: DraftPlace
  /** Given the time that this counts by. */
  meterIn?: ((place: DraftPlace, now: () => number) => AnswerMeter) | undefined
  /** Of this tab, unless a test passes another. */
  storage?: Pick<Storage, 'getItem' | 'setItem'>
}

export type AnswerTimes = ReturnType<typeof createAnswerTimes>

/** Measures the answers of one visit to a state. What was measured before a reload of this tab goes on. */
export function createAnswerTimes({ steadyNow, serverNow, place, ...deps }: AnswerTimesDeps) {
  const key = `${typedKey(place.participantId)}times`
  const here = `${place.roomId}/${place.visit}`
  const aheadMs = serverNow() - steadyNow()
  const now = (): number => steadyNow() + aheadMs
  const meter = deps.meterIn?.(place, now)
  const measured = load()
  /** Components with an answer that is still being given. */
  const underWay = new Set<string>()

  function load(): Map<string, Measured> {
    try {
      const kept: { here?: string; measured?: Record<string, Measured> } = JSON.parse(
        (deps.storage ?? sessionStorage).getItem(key) ?? '{}',
      )
      return new Map(kept.here === here ? Object.entries(kept.measured ?? {}) : [])
    } catch {
      return new Map()
    }
  }

  function change(id: string, news: Partial<Measured>): void {
    measured.set(id, { ...(measured.get(id) ?? { given: 0 }), ...news })
    try {
      const storage = deps.storage ?? sessionStorage
      storage.setItem(key, JSON.stringify({ here, measured: Object.fromEntries(measured) }))
    } catch {
      // Storage is full or forbidden: after a reload, times count from then on.
    }
  }

  /** Since the first paint. */
  function sincePaint(id: string): number | undefined {
    const paintedAt = measured.get(id)?.paintedAt
    return paintedAt === undefined ? undefined : Math.max(0, Math.round(now() - paintedAt))
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
      const paradata = meter?.paradataOf(id)
      return {
        ...(lastChangeMs !== undefined && { responseTime: lastChangeMs }),
        ...(firstInteractionMs !== undefined && { firstInteractionMs }),
        changes: Math.max(0, given - 1),
        ...(paradata && { paradata }),
      }
    },
  }
}
