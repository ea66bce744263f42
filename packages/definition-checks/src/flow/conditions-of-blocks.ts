import type { ExperimentDefinition } from '@atrium/contract'
import type { DeclaredNames } from './definition-names.ts'
import { pointer } from './findings.ts'
import type { PlacedExpression } from './placed-expression.ts'

/**
 * F110: the conditions under which blocks are played, which see what the state before them has left, and F113: those that end
 * them after a round, which see what the last state of the round has left.
 */
export const conditionsOfBlocks = (
  { blocks = [], states: all }: ExperimentDefinition,
  { movesTogether, trials }: DeclaredNames,
): PlacedExpression[] => {
  const isState = new Set(all.map(({ id }) => id))
  const isBlock = (member: string): boolean => !isState.has(member) && blocks.some(({ id }) => id === member)
  return blocks.flatMap(({ id, when, until, per, states }, at) => [
    ...(when === undefined
      ? []
      : [
          {
            path: pointer('blocks', at, 'when'),
            text: when,
            isRoomWide: movesTogether && per !== 'participant',
            trial: {
              ...trials.anywhere,
              refused: `no row is played yet when block ‘${id}’ is about to begin; read a variable instead`,
            },
          },
        ]),
    ...(until === undefined
      ? []
      : [
          {
            path: pointer('blocks', at, 'until'),
            text: until,
            isRoomWide: movesTogether,
            mayReadTime: true as const,
            ...(states.some((state) => isBlock(state))
              ? {
                  trial: {
                    ...trials.anywhere,
                    refused: `block ‘${id}’ has blocks in it and plays no rows of its own; read a variable instead`,
                  },
                }
              : states[0] !== undefined && { stateId: states[0] }),
          },
        ]),
  ])
}
