import { declaredColumns } from '@atrium/contract'
import { expect, test } from 'vitest'
import type { ExportedSession, StoredEvent } from '../exports.store.ts'
import { eventRows } from '../tables/event-rows.ts'
import { createCsvEncoder } from './csv.ts'
import { eventCsvHeader, eventCsvOf } from './event-csv.ts'

const odd = [
  '',
  '=1+1',
  `'quoted'`,
  'two\r\nlines',
  'a "b", c',
  '"',
  'nul \0',
  'half \ud800',
  'ünïcödé 🎈',
  null,
]

const session: ExportedSession = {
  ...{ participantId: 'part_1', sessionId: '-ses_1', revision: 3, roomId: null, stage: null },
  ...{
    condition: null,
    role: null,
    alias: null,
    agent: null,
    isSynthetic: false,
    joinedAt: 1,
    outcome: null,
    completionCode: null,
  },
  ...{ consentedAt: null, completedAt: null, eventCount: 2, language: 'en', softwareVersion: '1.0.0' },
  ...{ status: 'active', lastActivityAt: 0, droppedAt: null, droppedState: null, dropReason: null },
}
const event: StoredEvent = {
  ...{ seq: 1, type: 'component_response', serverTime: 1_700_000_061_007 },
  ...{ clientTime: 1_700_000_000_000, clockOffsetMs: -3_600_000, clockErrorMs: 12 },
  ...{ stateId: null, componentId: null, eventId: null, round: null, visit: null, roomSeq: null },
  ...{ flags: [], data: '{"value":"a \\"b\\""}', extra: null },
}

test('[D2] events become the same CSV by hand as through the encoder, whatever their cells contain', () => {
  const parts = [
    ...odd.map((text) => ({
      session: {
        ...session,
        roomId: text,
        stage: text,
        condition: text,
        role: text,
        alias: text,
        agent: text,
      },
      isFirst: true,
      events: [
        event,
        { ...event, seq: 2, type: text ?? '', stateId: text, componentId: text, eventId: text },
        {
          ...event,
          seq: 3,
          round: 0,
          visit: 2,
          roomSeq: 7,
          ...{ clientTime: null, clockOffsetMs: null, clockErrorMs: null },
          data: JSON.stringify({ text }),
          extra: '{"a":1}',
        },
      ],
    })),
    {
      session: { ...session, isSynthetic: true },
      isFirst: false,
      events: [{ ...event, flags: ['unknown_component', 'not_in_definition'] as StoredEvent['flags'] }],
    },
    { session, isFirst: true, events: [] },
  ]
  const encoder = createCsvEncoder(declaredColumns('events'))
  const rows = eventRows().rowsOf(parts, true)
  if (!Array.isArray(rows)) throw new Error('these rows need no store')
  expect(eventCsvHeader({ bom: false }) + parts.map(eventCsvOf).join('')).toBe(
    encoder.encode(rows, { isFirst: true, isLast: true }),
  )
})
