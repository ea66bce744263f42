import type { ExperimentDefinition } from '@atrium/contract'
import { expect, test } from 'vitest'
import type { ExportedSession, StoredEvent } from '../exports.store.ts'
import { skippedRows } from './skipped-rows.ts'

const definition: ExperimentDefinition = {
  name: 'Test',
  states: [
    {
      id: 'brand',
      components: [
        { id: 'intro', type: 'text' },
        { id: 'which', type: 'text_input' },
        { id: 'price', type: 'slider', roles: ['buyer'] },
      ],
    },
    { id: 'shop', roles: ['seller'], components: [{ id: 'sold', type: 'slider' }] },
    { id: 'after', components: [{ id: 'mood', type: 'slider' }] },
  ],
  blocks: [{ id: 'smoking', states: ['brand', 'shop'], rounds: 3, when: 'false' }],
}

const rowsFor = (
  { role, ...event }: { role: string; block?: string; roomSeq?: number | null },
  played = definition,
) =>
  skippedRows(
    {
      roomSeq: event.roomSeq === undefined ? 7 : event.roomSeq,
      data: JSON.stringify({ block: event.block ?? 'smoking' }),
      round: null,
      visit: 1,
      stateId: null,
    } as StoredEvent,
    { participantId: 'p1', role } as ExportedSession,
    played,
  ).map(({ stateId, componentId, round, visit, missing }) => [stateId, componentId, round, visit, missing])

test('[RM241] each question of a skipped block that their role would have seen is one row that was not shown', () => {
  expect(rowsFor({ role: 'buyer' })).toEqual([
    ['brand', 'which', null, null, 'not_shown'],
    ['brand', 'price', null, null, 'not_shown'],
  ])
  expect(rowsFor({ role: 'seller' })).toEqual([
    ['brand', 'which', null, null, 'not_shown'],
    ['shop', 'sold', null, null, 'not_shown'],
  ])
})

test('[RM241] only what the room says counts, and blocks that the revision has', () => {
  expect(rowsFor({ role: 'buyer', roomSeq: null })).toEqual([])
  expect(rowsFor({ role: 'buyer', block: 'other' })).toEqual([])
})

test('[RM217] where roles rotate, the questions of every role are missing', () => {
  const blocks = (definition.blocks ?? []).map((block) => ({ ...block, rotateRoles: true }))
  expect(rowsFor({ role: 'seller' }, { ...definition, blocks }).map(([, id]) => id)).toEqual([
    'which',
    'price',
    'sold',
  ])
})

test('[RM217,F183] also those of blocks within one that rotates roles, and around it only its own', () => {
  const nested = (rotating: 'outer' | 'inner') => ({
    ...definition,
    blocks: [
      { id: 'outer', states: ['brand', 'inner'], rounds: 2, rotateRoles: rotating === 'outer' },
      { id: 'inner', states: ['shop'], rounds: 2, rotateRoles: rotating === 'inner' },
    ],
  })
  const idsIn = (block: string, rotating: 'outer' | 'inner') =>
    rowsFor({ role: 'buyer', block }, nested(rotating)).map(([, id]) => id)
  expect(idsIn('inner', 'outer')).toEqual(['sold'])
  expect(idsIn('outer', 'outer')).toEqual(['which', 'price', 'sold'])
  const seller = rowsFor({ role: 'seller', block: 'outer' }, nested('inner')).map(([, id]) => id)
  expect(seller).toEqual(['which', 'sold'])
})
