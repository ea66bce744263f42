import { Type } from 'typebox'

const Strict = { additionalProperties: false }

export const Dropout = Type.Object(
  {
    policy: Type.Enum(['wait', 'continue', 'replace_with_agent', 'end'], {
      description:
        'How the room continues without the participant who left; `replace_with_agent`: an agent with `replaces` takes the seat',
    }),
    graceMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_600_000,
        description: 'Time to return before the policy applies',
      }),
    ),
  },
  { ...Strict, description: 'What happens to a room when someone leaves it' },
)
