import type { ExportTable } from '@atrium/contract'
import { parserFor } from '@atrium/contract'
import { Type } from 'typebox'
import { validationFailed } from '../../kernel/app-error.ts'

/** Where the first page begins. */
export const startCursor = 'start'

const latestMs = 8_640_000_000_000_000
const Text = Type.String({ pattern: '^[A-Za-z0-9_-]{0,128}$' })
const Whole = (maximum: number) => Type.Integer({ minimum: 0, maximum })

const Content = Type.Object(
  {
    table: Type.String(),
    /** R59: names the session by its pseudonym. Empty: the participant is still to come. */
    at: Type.Object(
      {
        joinedAt: Whole(latestMs),
        isAgent: Type.Boolean(),
        participantId: Text,
        startedAt: Whole(latestMs),
        session: Text,
        seq: Whole(2 ** 31 - 1),
      },
      { additionalProperties: false },
    ),
    /** The revisions that made the columns of the first page. */
    revisions: Type.Object({ count: Whole(2 ** 31 - 1), newest: Whole(2 ** 31 - 1) }),
  },
  { additionalProperties: false },
)
export type Cursor = Type.Static<typeof Content>
export type CursorPosition = Cursor['at']

const parser = parserFor(Content)

export const writeCursor = (cursor: Cursor): string =>
  Buffer.from(JSON.stringify(cursor)).toString('base64url')

/** Null for the start. A cursor gives access to nothing, so nothing is signed: whoever invents one gets some other page. */
export function readCursor(text: string, table: ExportTable): Cursor | null {
  if (text === startCursor) return null
  const parsed = parser.parse(jsonIn(text))
  if (!parsed.ok || parsed.value.table !== table)
    throw refusedCursor('must be ‘start’, or the X-Next-Cursor of an earlier page of the same table')
  return parsed.value
}

export const refusedCursor = (message: string) => validationFailed([{ path: '/cursor', message }])

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}
