import type { ExperimentDefinition } from '@atrium/contract'
import type { DeclaredNames } from './definition-names.ts'
import { pointer } from './findings.ts'
import type { PlacedExpression } from './placed-expression.ts'

/**
 * F110: the conditions under which blocks are played, which see what the state before them has left, and F113: those that end
 * them after a round, which see what the last state of the round has left.
 */
export const conditionsOfBlocks = (
  { blocks = [] }: ExperimentDefinition,
  { movesTogether, trials }: DeclaredNames,
): PlacedExpression[] =>
  blocks.flatMap(({ id, when, until, per, states }, at) => [
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
            ...(states[0] !== undefined && { stateId: states[0] }),
          },
        ]),
  ])
