import type { ExperimentDefinition } from '@atrium/contract'
import { experiment, state } from '@atrium/testkit/definitions'
import { describe, expect, it } from 'vitest'
import { checkFlow } from './check-flow.ts'

const errorsOf = (definition: ExperimentDefinition) =>
  checkFlow(definition, () => false).errors.map(({ path, message }) => `${path}: ${message}`)

describe('draws', () => {
  const withInitial = (expression: string) =>
    errorsOf(experiment([state('a')], { variables: { lot: { initial: { expression } }, pot: 0 } }))

  it('[F55,R63] may stand in assignments and initial values', () => {
    const states = [state('a', { onEnter: { lot: 'drawInt(1, 6)' }, onEnd: { lot: 'draw([lot, 0])' } })]
    expect(
      errorsOf(experiment(states, { variables: { lot: { initial: { expression: 'drawInt(1, 6)' } } } })),
    ).toEqual([])
  })

  it('[F55] are refused in conditions, computed variables and texts, with where to write them', () => {
    const refused = 'is drawn only where a value is set once'
    const inWhen = [state('a', { next: [{ to: 'b', when: 'drawInt(0, 1) == 1' }] }), state('b')]
    expect(errorsOf(experiment(inWhen))).toEqual([expect.stringContaining(refused)])
    const computed = { variables: { lot: { compute: 'drawInt(0, 1)' } } }
    expect(errorsOf(experiment([state('a')], computed))).toEqual([expect.stringContaining(refused)])
    const text = { id: 't', type: 'text', text: 'You drew {{drawInt(0, 1)}}.' }
    expect(errorsOf(experiment([state('a', { components: [text] })]))).toEqual([
      expect.stringContaining(refused),
    ])
  })

  it('[F55] an initial value refers to nothing that happens', () => {
    expect(withInitial('sample([1, 2, 3], 2)')).toEqual([])
    for (const text of ['pot + 1', 'response.mood', 'responses.mood', 'round'])
      expect(withInitial(text)).toEqual([
        expect.stringMatching(/^\/variables\/lot\/initial\/expression: an initial value is set before/),
      ])
    expect(withInitial('drawInt(1')).toEqual([expect.stringContaining('syntax error at character')])
    expect(withInitial('drawInt(1)')).toEqual([expect.stringContaining('use drawInt(low, high)')])
  })
})
