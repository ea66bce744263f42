import type { ExperimentDefinition, Network } from '@atrium/contract'
import { describe, expect, it, test } from 'vitest'
import { checkOnSaving } from '../check-on-saving.ts'

const study = (network: unknown, more: Partial<ExperimentDefinition> = {}) => ({
  name: 'A network',
  matching: { groupSize: 12 },
  states: [{ id: 'only', components: [{ id: 'hello', type: 'text', text: 'Hello' }] }],
  ...(network !== undefined && { network }),
  ...more,
})
const messages = (body: unknown): string[] => {
  const checked = checkOnSaving(body)
  return 'issues' in checked ? checked.issues.map(({ path, message }) => `${path} ${message}`) : []
}
const size = (groupSize: number) => ({ matching: { groupSize } })

test.each<[Network, number]>([
  [{ kind: 'complete' }, 200],
  [{ kind: 'ring' }, 3],
  [{ kind: 'ring', degree: 4 }, 12],
  [{ kind: 'lattice' }, 9],
  [{ kind: 'lattice', degree: 8 }, 25],
  [{ kind: 'small_world', degree: 6, rewire: 1, seed: 'same for all' }, 24],
  [{ kind: 'random', degree: 3 }, 1_000],
  [{ kind: 'scale_free' }, 1_000],
  [
    {
      kind: 'edges',
      edges: [
        [1, 2],
        [2, 3],
        ['participant', 4],
      ],
    },
    4,
  ],
])('[RM246] a network %j of %i can be saved', (network, groupSize) => {
  expect(messages(study(network, size(groupSize)))).toEqual([])
})

test.each<[string, unknown, number, string]>([
  ['for one person', { kind: 'ring' }, 1, '/network there is nobody to be joined with'],
  ['of an unknown kind', { kind: 'star' }, 12, '/network/kind'],
  [
    'with more neighbours than people',
    { kind: 'ring', degree: 12 },
    12,
    '/network/degree nobody can have 12 neighbours in a room of 12: with so many seats, the degree is at most 11',
  ],
  [
    'with a default that is too much',
    { kind: 'random' },
    4,
    '/network nobody can have 4 neighbours in a room of 4',
  ],
  [
    'with an odd ring',
    { kind: 'ring', degree: 3 },
    12,
    '/network/degree the degree of a network of the kind ‘ring’ is an even number, not 3',
  ],
  [
    'with a lattice of six',
    { kind: 'lattice', degree: 6 },
    12,
    '/network/degree everyone in a lattice has 4 or 8 neighbours, not 6',
  ],
  ['with a lattice of thirteen', { kind: 'lattice' }, 13, '/network/kind 13 seats make no grid'],
  ['with a probability above one', { kind: 'small_world', rewire: 1.5 }, 12, '/network/rewire'],
  [
    'with a ring that is rewired',
    { kind: 'ring', rewire: 0.1 },
    12,
    '/network/rewire a network of the kind ‘ring’ has no ‘rewire’',
  ],
  [
    'with a seed that decides nothing',
    { kind: 'ring', seed: 'x' },
    12,
    '/network/seed a network of the kind ‘ring’ has no ‘seed’',
  ],
  ['without edges', { kind: 'edges' }, 12, '/network a network of the kind ‘edges’ needs ‘edges’'],
  [
    'with a loop',
    { kind: 'edges', edges: [[3, 3]] },
    12,
    '/network/edges/0 seat 3 cannot be joined with itself',
  ],
  [
    'with an edge twice',
    {
      kind: 'edges',
      edges: [
        [1, 2],
        [2, 1],
      ],
    },
    12,
    '/network/edges/1 2 and 1 are joined already',
  ],
  [
    'with a seat too many',
    { kind: 'edges', edges: [[1, 13]] },
    12,
    '/network/edges/0/1 there is no seat 13: a room has at most 12',
  ],
  [
    'with an alias',
    { kind: 'edges', edges: [['P1', 2]] },
    12,
    '/network/edges/0/0 ‘P1’ is not a role; a seat is written as a number: 1',
  ],
  [
    'with an unknown role',
    { kind: 'edges', edges: [['particpant', 2]] },
    12,
    '/network/edges/0/0 role ‘particpant’ does not exist; did you mean ‘participant’?',
  ],
  ['with half an edge', { kind: 'edges', edges: [[1]] }, 12, '/network/edges/0'],
  [
    'of everyone with everyone',
    { kind: 'complete' },
    1_000,
    '/network a network of 1000 seats would have 499500 edges; the limit is 20000',
  ],
  [
    'of far too many neighbours',
    { kind: 'random', degree: 998 },
    1_000,
    '/network a network of 1000 seats would have 499000 edges',
  ],
  [
    'of roles that are the whole room',
    { kind: 'edges', edges: [['participant', 'participant']] },
    1_000,
    '/network a network of 1000 seats would have 499500 edges',
  ],
  [
    'with more edges than can be listed',
    { kind: 'edges', edges: Array.from({ length: 10_001 }, () => [1, 2]) },
    12,
    '/network/edges',
  ],
])('[RM246] a network %s is refused with a sentence that says why', (_, network, groupSize, message) => {
  expect(messages(study(network, size(groupSize))).join('\n')).toContain(message)
})

describe('What needs a network', () => {
  const chat = { id: 'talk', type: 'chat', audience: 'neighbours' }
  const rate = { id: 'rate', type: 'slider', forEach: 'neighbours', required: true }
  const reads = { id: 'seen', type: 'text', text: 'They gave {{neighbours.given}}.' }
  const variables = { given: { scope: 'participant', initial: 0 } }
  const withComponents = (...components: object[]) =>
    ({ variables, states: [{ id: 'only', components }] }) as object

  it('[RM246] is refused without one, at its path', () => {
    expect(messages(study(undefined, withComponents(chat, rate)))).toEqual([
      '/states/0/components/0/audience there are neighbours only in a network; add ‘network’ to the definition',
      '/states/0/components/1/forEach there are neighbours only in a network; add ‘network’ to the definition',
    ])
    expect(messages(study(undefined, withComponents(reads))).join()).toContain(
      'there are neighbours only in a network; add ‘network’ to the definition',
    )
  })

  it('[RM246] can be saved with one', () => {
    expect(messages(study({ kind: 'ring' }, withComponents(chat, rate, reads)))).toEqual([])
  })

  it('[RM247] reads neighbours in groups in which the others are too many to be listed', () => {
    expect(messages(study({ kind: 'ring' }, { ...withComponents(reads), ...size(500) }))).toEqual([])
    const others = { ...reads, text: 'They gave {{others.given}}.' }
    expect(messages(study({ kind: 'ring' }, { ...withComponents(others), ...size(500) })).join()).toContain(
      '‘others.given’ is a list here, and texts list the others in groups of up to 50 people',
    )
  })

  it('[RM251] is a change that says what it changes, in a room that can', () => {
    const changing = (rewire: object, more: object = {}) =>
      messages(
        study({ kind: 'ring' }, { states: [{ id: 'only', components: [], rewire }], ...more } as never),
      )
    expect(changing({ cut: 'draw(neighbours.alias)', join: 'draw(others.alias)' })).toEqual([])
    expect(changing({})).toEqual(['/states/0/rewire needs ‘cut’, ‘join’ or both'])
    expect(changing({ cut: 'neighbours.alias', mutual: true })).toEqual([
      '/states/0/rewire/mutual is about ‘join’, which is missing',
    ])
    expect(changing({ join: 'others.alias', mutual: true }, { pacing: 'participant' }).join()).toContain(
      '/states/0/rewire/mutual two people can name each other only where the room proceeds together',
    )
    expect(changing({ join: 'other.alias' }).join()).toContain('/states/0/rewire/join')
    expect(changing({ join: '{{others.alias}}' }).join()).toContain('/states/0/rewire/join')
    const alone = messages(
      study(undefined, { states: [{ id: 'only', components: [], rewire: { cut: '1' } }] }),
    )
    expect(alone.join()).toContain('there is no network to change; add ‘network’ to the definition')
  })
})
