import { expect, test } from 'vitest'
import { aboutWarnings } from './about-warnings.ts'

test('[R95] an ORCID with a mistyped digit gets a warning', () => {
  const of = (orcid: string) =>
    aboutWarnings({ about: { authors: [{ name: 'Ada' }, { name: 'Bo', orcid }] } })
  expect(of('0000-0002-1825-0097')).toEqual([])
  expect(of('0000-0002-1694-233X')).toEqual([])
  expect(of('0000-0002-1825-0096')).toEqual([expect.objectContaining({ path: '/about/authors/1/orcid' })])
})
