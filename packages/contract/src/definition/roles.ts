import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { Name } from '../text.ts'
import { ParticipantText } from './participant-text.ts'
import { DefinitionId } from './state.ts'

const Strict = { additionalProperties: false }

export const Role = Type.Union(
  [
    DefinitionId('Short form: the id alone'),
    Type.Object(
      {
        id: DefinitionId('The id used by join, states and components'),
        name: Type.Optional(ParticipantText(Name(200, 'Display name'))),
        min: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: limits.definition.groupSize,
            description: 'Minimum number of participants with this role in a group',
          }),
        ),
        max: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: limits.definition.groupSize,
            description: 'Maximum number of participants with this role in a group',
          }),
        ),
      },
      Strict,
    ),
  ],
  { description: 'A role that a participant can take' },
)
