import { type ParadataKind, paradataKinds } from '@atrium/contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { seeded } from '../../../test/seed.ts'
import { collectedData } from './collected.ts'

const answer = {
  focus: { focusLostCount: 2, focusLostMs: 4_000 },
  paste: { pasteCount: 1, pastedCharacters: 12 },
  typing: { keystrokes: 40, deletions: 3, keyIntervalMedianMs: 120, longestPauseMs: 900 },
  device: {},
  network: { networkDelayMs: 30 },
} as const
const report = {
  focus: {},
  paste: {},
  typing: {},
  device: { deviceClass: 'phone', browser: 'safari', timeZone: 'Europe/Berlin' },
  network: { networkDelayMs: 30 },
} as const
const ofKinds = (fields: Record<ParadataKind, object>, kinds: readonly ParadataKind[]): object =>
  Object.assign({}, ...kinds.map((kind) => fields[kind]))

it('[E42] exactly what belongs to the kinds that the study collects is stored', () => {
  fc.assert(
    fc.property(fc.subarray([...paradataKinds]), (kinds) => {
      const data = { value: 'because', responseTime: 5_000, paradata: ofKinds(answer, paradataKinds) }
      const { paradata = {}, ...rest } = collectedData({ type: 'component_response', data }, kinds)
      expect(paradata).toEqual(ofKinds(answer, kinds))
      expect(rest).toEqual({ value: 'because', responseTime: 5_000 })
      const sent = { type: 'device_report', data: { ...ofKinds(report, paradataKinds) } }
      expect(collectedData(sent, kinds)).toEqual(ofKinds(report, kinds))
    }),
    seeded,
  )
})

it('[E42] an answer of which nothing is collected is stored as one that says nothing', () => {
  const data = { value: 1, paradata: { pasteCount: 1 } }
  expect(collectedData({ type: 'component_response', data }, ['focus'])).toEqual({ value: 1 })
})

it('[R19] what other events say is theirs, whatever it is called', () => {
  const data = { paradata: { pasteCount: 1 }, deviceClass: 'phone' }
  expect(collectedData({ type: 'page_hidden', data }, [])).toEqual(data)
  expect(collectedData({ type: 'note' }, [])).toEqual({})
})
