import type { ExperimentDefinition, State } from '@atrium/contract'
import fc from 'fast-check'

export const state = (id: string, more: Partial<State> = {}): State => ({ id, components: [], ...more })

export const experiment = (
  states: State[],
  more: Partial<ExperimentDefinition> = {},
): ExperimentDefinition => ({ name: 'Test', states, ...more })

type Transition = NonNullable<State['next']>[number]
type Block = NonNullable<ExperimentDefinition['blocks']>[number]

const ids = ['s0', 's1', 's2', 's3', 's4', 's5']

/** `when` and `atMost` are often absent, so that both invalid and valid definitions are generated. */
const transition: fc.Arbitrary<Transition> = fc
  .record({
    to: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...ids) }, fc.constant('end')),
    when: fc.option(fc.constantFrom('x > 0', 'visit < 3', 'round == 2'), { nil: undefined, freq: 4 }),
    atMost: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined, freq: 4 }),
  })
  .map(({ to, when, atMost }) => ({
    to,
    ...(when === undefined ? {} : { when }),
    ...(atMost === undefined ? {} : { atMost }),
  }))

const block = (index: number): fc.Arbitrary<Block> =>
  fc
    .record({
      id: fc.constant(`b${index}`),
      states: fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1, maxLength: 4 }),
      order: fc.constantFrom('fixed' as const, 'random' as const, 'latin_square' as const),
      rounds: fc.integer({ min: 1, max: 4 }),
      when: fc.option(fc.constantFrom('x > 0', 'visit < 3'), { nil: undefined, freq: 2 }),
      sample: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 2 }),
    })
    .map(({ when, sample, ...rest }) => ({
      ...rest,
      ...(when === undefined ? {} : { when }),
      ...(sample === undefined ? {} : { sample }),
    }))

/** Valid or not; checkFlow must tell them apart. */
export const anyDefinition: fc.Arbitrary<ExperimentDefinition> = fc
  .tuple(
    fc.array(fc.array(transition, { maxLength: 3 }), { minLength: 6, maxLength: 6 }),
    fc.oneof(fc.constant<Block[]>([]), fc.tuple(block(0)), fc.tuple(block(0), block(1))),
  )
  .map(([nexts, blocks]) =>
    experiment(
      ids.map((id, index) => state(id, { next: nexts[index] ?? [] })),
      { blocks, variables: { x: 0 } },
    ),
  )
