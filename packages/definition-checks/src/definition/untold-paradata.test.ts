import type { ExperimentDefinition } from '@atrium/contract'
import { expect, test } from 'vitest'
import { untoldParadataWarnings } from './untold-paradata.ts'

const warnedAt = (more: Partial<ExperimentDefinition>) =>
  untoldParadataWarnings({ name: 'n', states: [{ id: 's', components: [] }], ...more }).map(
    ({ path }) => path,
  )

test('[X71] a study that measures people without asking for consent is warned that nobody tells them', () => {
  const asking = { id: 's', components: [{ id: 'agree', type: 'consent', text: 'We measure …' }] }
  expect(warnedAt({ paradata: ['focus'] })).toEqual(['/paradata'])
  expect(warnedAt({ paradata: ['focus'], consent: { text: 'We measure …' } })).toEqual([])
  expect(warnedAt({ paradata: ['focus'], states: [asking] })).toEqual([])
  for (const nothing of [{}, { paradata: [] }]) expect(warnedAt(nothing)).toEqual([])
})
