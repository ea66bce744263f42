import type { ExperimentDefinition } from '@atrium/contract'
import { expect, test } from 'vitest'
import { aboutWarnings, untoldParadataWarnings } from './study-warnings.ts'

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

test('[R95] an ORCID with a mistyped digit gets a warning', () => {
  const of = (orcid: string) =>
    aboutWarnings({ about: { authors: [{ name: 'Ada' }, { name: 'Bo', orcid }] } })
  expect(of('0000-0002-1825-0097')).toEqual([])
  expect(of('0000-0002-1694-233X')).toEqual([])
  expect(of('0000-0002-1825-0096')).toEqual([expect.objectContaining({ path: '/about/authors/1/orcid' })])
})
