import type { AnswerParadata, ParadataKind } from '@atrium/contract'
import { tryStorage } from '../journey/remembered.ts'
import { type DraftPlace, typedKey } from '../room/typed.ts'
import { type Absence, absenceBefore, left, msAway, noAbsence, returned } from './absence.ts'
import { deleted, noTyping, pressed, rhythmOf, type Typing } from './typing.ts'

/** What is known of a component in one visit to a state. */
interface Counted {
  /** How the page had been left before the component was painted. */
  before?: Absence
  pasteCount: number
  pastedCharacters: number
  typing: Typing
}

export interface MeterDeps {
  kinds: readonly ParadataKind[]
  /** Goes on across a reload. */
  now(): number
  /** Whether the page is left at this moment. */
  isAway(): boolean
  networkDelayMs(): number | undefined
  place: DraftPlace
  /** Of this tab, unless a test passes another. */
  storage?: Pick<Storage, 'getItem' | 'setItem'>
}

export type Meter = ReturnType<typeof createMeter>

const isTaken = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

/** R93: counts for the answers of one visit to a state. What was counted before a reload of this tab goes on. */
export function createMeter({ kinds, now, isAway, networkDelayMs, place, ...deps }: MeterDeps) {
  const key = `${typedKey(place.participantId)}paradata`
  const here = `${place.roomId}/${place.visit}`
  const { components, ...kept } = load()
  let { absence } = kept
  if (isAway()) leave()
  else comeBack()

  function load(): { absence: Absence; components: Map<string, Counted> } {
    try {
      const kept = JSON.parse((deps.storage ?? sessionStorage).getItem(key) ?? '{}')
      if (kept.here === here)
        return { absence: kept.absence, components: new Map(Object.entries(kept.components)) }
    } catch {
      // What is kept cannot be read: counting begins again.
    }
    return { absence: noAbsence, components: new Map() }
  }

  function keep(): void {
    // Where nothing can be stored, counting begins again after a reload.
    tryStorage(() =>
      (deps.storage ?? sessionStorage).setItem(
        key,
        JSON.stringify({ here, absence, components: Object.fromEntries(components) }),
      ),
    )
  }

  const countedOf = (id: string): Counted =>
    components.get(id) ?? { pasteCount: 0, pastedCharacters: 0, typing: noTyping }

  function change(id: string, news: Partial<Counted>): void {
    components.set(id, { ...countedOf(id), ...news })
    keep()
  }

  function leave(): void {
    absence = left(absence, now())
    keep()
  }

  function comeBack(): void {
    if (absence.since === undefined) return
    absence = returned(absence, now())
    keep()
  }

  /** By kind; a component into which nothing can be written says nothing about writing. */
  const measures: { [Kind in ParadataKind]: (of: Counted, canWrite: boolean) => AnswerParadata } = {
    focus({ before }) {
      if (!before) return {}
      const ms = msAway(absence, now()) - before.ms
      return { focusLostCount: absence.count - before.count, focusLostMs: Math.max(0, Math.round(ms)) }
    },
    paste: ({ pasteCount, pastedCharacters }, canWrite) =>
      canWrite || pasteCount > 0 ? { pasteCount, pastedCharacters } : {},
    typing({ typing }, canWrite) {
      const { keystrokes, deletions } = typing
      return canWrite || keystrokes > 0 ? { keystrokes, deletions, ...rhythmOf(typing) } : {}
    },
    device: () => ({}),
    network() {
      const delayMs = networkDelayMs()
      return delayMs === undefined ? {} : { networkDelayMs: delayMs }
    },
  }

  return {
    leave,
    comeBack,
    painted(id: string): void {
      if (!countedOf(id).before) change(id, { before: absenceBefore(absence, now()) })
    },
    pressed: (id: string): void => change(id, { typing: pressed(countedOf(id).typing, now()) }),
    deleted: (id: string): void => change(id, { typing: deleted(countedOf(id).typing) }),
    pasted(id: string, characters: number): void {
      const { pasteCount, pastedCharacters } = countedOf(id)
      change(id, { pasteCount: pasteCount + 1, pastedCharacters: pastedCharacters + characters })
    },
    /** What goes with an answer; undefined if there is nothing to say. */
    countedFor(id: string, canWrite: boolean): AnswerParadata | undefined {
      const parts = kinds.map((kind) => measures[kind]?.(countedOf(id), canWrite))
      // What the server does not take would have the answer refused: a clock or the storage may say anything.
      const said = parts.flatMap((part) => Object.entries(part ?? {})).filter(([, value]) => isTaken(value))
      return said.length > 0 ? Object.fromEntries(said) : undefined
    },
  }
}
