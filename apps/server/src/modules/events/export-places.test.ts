import { expect, test } from 'vitest'
import { admitExport } from './export-places.ts'

const allowed = { inAll: 6, perExperiment: 4, perPerson: 3 }

/** `ann/x/1`: a place that Ann has taken for experiment x. */
const placeOf = (name: string) => {
  const [person = '', experimentId = ''] = name.split('/')
  return { person, experimentId, name }
}

function admit(taken: string[], wanted: string): string {
  const admission = admitExport(taken.map(placeOf), placeOf(wanted), allowed)
  return admission.kind === 'instead' ? `instead of ${admission.of.name}` : admission.kind
}

test.each([
  ['a free place is for anybody', ['ann/x/1', 'ann/x/2'], 'ann/x', 'admitted'],
  ['one person has a share, whatever is free', ['ann/x/1', 'ann/y/1', 'ann/z/1'], 'ann/x', 'refused'],
  [
    'two people who hold all places lose one to a third: the one read from longest ago of whoever has most',
    ['eve/x/1', 'mal/y/1', 'mal/y/2', 'eve/x/2', 'mal/y/3', 'eve/x/3'],
    'ann/z',
    'instead of eve/x/1',
  ],
  [
    'an experiment has a share, in which its people take each other’s places',
    ['eve/x/1', 'mal/x/1', 'mal/x/2', 'mal/x/3'],
    'ann/x',
    'instead of mal/x/1',
  ],
  [
    'those of other experiments are not asked for it',
    ['eve/x/1', 'bob/x/1', 'cy/x/1', 'dan/x/1', 'mal/y/1', 'mal/y/2'],
    'ann/x',
    'refused',
  ],
  [
    'nobody takes a place in order to have as many as the other had',
    ['eve/x/1', 'eve/y/2', 'mal/x/1', 'mal/y/2', 'ann/x/1', 'bob/y/1'],
    'ann/z',
    'refused',
  ],
])('[E8] %s', (_rule, taken, wanted, answer) => {
  expect(admit(taken, wanted)).toBe(answer)
})
