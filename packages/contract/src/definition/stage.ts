import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { Name } from '../text.ts'
import { Conditions } from './conditions.ts'
import { Dropout } from './dropout.ts'
import { Matching } from './matching.ts'
import { Network } from './network.ts'
import { Role } from './roles.ts'
import { Block, DefinitionId, maxRoles, State } from './state.ts'

/** R68 */
export const Stage = Type.Object(
  {
    id: DefinitionId('Unique among stages'),
    when: Type.Optional(
      Name(
        2_000,
        'Expression over variables of the participant, evaluated when they have finished the stage before: unless it is true, they pass this stage by. Whom `onDeadline` of another stage sends here plays it all the same; everybody plays it when absent',
      ),
    ),
    matching: Type.Optional(Matching),
    roles: Type.Optional(
      Type.Array(Role, {
        maxItems: maxRoles,
        description: 'Roles that a participant can take in this stage; only `participant` when absent',
      }),
    ),
    states: Type.Array(State, {
      minItems: 1,
      maxItems: limits.definition.states,
      description: 'The steps of the stage, in order. No two states of an experiment have the same id',
    }),
    blocks: Type.Optional(
      Type.Array(Block, {
        maxItems: 100,
        description: 'States of this stage played in random order or for several rounds',
      }),
    ),
    conditions: Type.Optional(Conditions),
    dropout: Type.Optional(Dropout),
    network: Type.Optional(Network),
  },
  {
    additionalProperties: false,
    description: 'A part of the experiment in which the same people share a room',
  },
)
export type Stage = Type.Static<typeof Stage>
