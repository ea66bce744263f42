import type { Component } from '@atrium/contract'
import { componentTypes, publicComponent, responseSchemaOf } from '@atrium/contract/components'
import { randomComponent } from '@atrium/testkit/definitions'
import fc from 'fast-check'
import type { AgentMoves } from '../moves.ts'

/** The types that an agent can be asked to answer. */
const answerableTypes = Object.values(componentTypes)
  .filter(({ responds, agentsCannot }) => responds !== 'none' && agentsCannot === null)
  .map(({ type }) => type)

const ids = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'name', 'answers', 'hasOwnProperty', '0', 'a/b~c'),
  fc.constant('长'.repeat(200)),
  fc.string({ minLength: 1, maxLength: 200 }),
)

const component: fc.Arbitrary<Component> = fc
  .tuple(fc.constantFrom(...answerableTypes).chain(randomComponent), ids)
  .map(([one, id]) => ({ ...one, id }))

export const movesTo = (
  components: readonly (Component & { isRequired?: boolean })[],
  more: Partial<AgentMoves> = {},
): AgentMoves => ({
  answers: components.map(({ isRequired = true, ...one }) => {
    const schema = responseSchemaOf(one)
    if (!schema) throw new Error(`${one.type} takes no responses`)
    return { component: publicComponent(one), schema, isRequired }
  }),
  canContinue: false,
  canWait: false,
  chats: [],
  ...more,
})

/** Moves of any state that an agent may be in, with the components as the definition has them. */
export const randomMoves = fc
  .record({
    components: fc.uniqueArray(component, { maxLength: 5, selector: ({ id }) => id }),
    optional: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    canContinue: fc.boolean(),
    canWait: fc.boolean(),
    chats: fc.uniqueArray(
      fc.record({
        componentId: ids,
        maxLength: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(4_000)),
      }),
      { maxLength: 3, selector: ({ componentId }) => componentId },
    ),
  })
  .map(({ components, optional, ...more }) => ({
    components,
    moves: movesTo(
      components.map((one, index) => ({ ...one, isRequired: optional[index] !== true })),
      more,
    ),
  }))
