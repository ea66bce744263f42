import { pseudonymOf } from '../../kernel/ids.ts'
import type { ExportPosition } from '../events/index.ts'
import type { CursorPosition } from './cursor.ts'
import type { ExportSelection, ExportStore, SessionPart } from './exports.store.ts'
import type { Row, TableRows } from './tables/row.ts'

/** A page of the store is about a megabyte; each answer costs one of the requests that somebody has. */
export const maxPages = 2

interface CursorPage {
  rows: Row[]
  /** Null on the last page. */
  next: CursorPosition | null
}

type PageStore = Pick<ExportStore, 'plan' | 'parts' | 'sessionOf'>

/** The next page, without reading ahead. */
export async function readParts(
  store: Pick<ExportStore, 'plan' | 'parts'>,
  selection: ExportSelection,
  types: readonly string[] | null,
  after: ExportPosition | null,
): Promise<{ parts: SessionPart[]; next: ExportPosition | null }> {
  const [page] = await store.plan(selection, types, after, 1)
  return page ? { parts: await store.parts(page), next: page.next } : { parts: [], next: null }
}

/** For tables in which each event is a row by itself: a page may end anywhere. */
export async function readEventRows(
  store: PageStore,
  selection: ExportSelection,
  table: TableRows,
  from: ExportPosition | null,
): Promise<CursorPage> {
  const rows: Row[] = []
  let after = from
  for (let page = 0; page < maxPages; page++) {
    const { parts, next } = await readParts(store, selection, table.types, after)
    rows.push(...(await table.rowsOf(parts, next === null)))
    if (next === null) return { rows, next: null }
    after = next
  }
  return { rows, next: after && placeOf(after) }
}

/**
 * For tables whose rows are made of all that a participant did: a page ends between two people, so that the next one needs
 * nothing of what this one knew. Somebody with many events makes it longer.
 */
export async function readWholePeople(
  store: PageStore,
  selection: ExportSelection,
  table: TableRows,
  from: ExportPosition | null,
): Promise<CursorPage> {
  const rows: Row[] = []
  let after = from
  let begun: string | undefined
  for (let page = 1; ; page++) {
    const { parts, next } = await readParts(store, selection, table.types, after)
    if (next === null) return { rows: [...rows, ...(await table.rowsOf(parts, true))], next: null }
    const last = parts.at(-1)?.session
    if (last) {
      const whole = parts.findIndex(({ session }) => session.participantId === last.participantId)
      // Everyone before the last one is complete; the last one may have more on the next page.
      if (whole > 0 || (begun !== undefined && begun !== last.participantId)) {
        rows.push(...(await table.rowsOf(parts.slice(0, whole), true)))
        return { rows, next: startOf({ ...last, isAgent: last.agent !== null }) }
      }
      begun = last.participantId
      rows.push(...(await table.rowsOf(parts, false)))
    } else if (begun !== undefined) {
      // Everybody on this page is left out, so whoever came before is complete.
      rows.push(...(await table.rowsOf([], true)))
      return { rows, next: startOf(next) }
    } else if (page >= maxPages && next.participantId !== from?.participantId)
      // There may be very many whom the filters leave out.
      return { rows, next: startOf(next) }
    after = next
  }
}

/** What a cursor says, as the store knows it. If the session is gone, whatever comes after it. */
export async function positionAt(store: PageStore, at: CursorPosition): Promise<ExportPosition> {
  const { session, seq, ...place } = at
  const sessionId = session === '' ? undefined : await store.sessionOf(at.participantId, session)
  return { ...place, sessionId: sessionId ?? '', seq: sessionId === undefined ? 0 : seq }
}

const startOf = ({
  joinedAt,
  participantId,
  isAgent,
}: Pick<ExportPosition, 'joinedAt' | 'participantId' | 'isAgent'>): CursorPosition => ({
  joinedAt,
  participantId,
  isAgent,
  startedAt: 0,
  session: '',
  seq: 0,
})

export const placeOf = ({ sessionId, ...position }: ExportPosition): CursorPosition => ({
  ...position,
  session: pseudonymOf(sessionId),
})
