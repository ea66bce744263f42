import { Type } from 'typebox'
import { Name } from '../text.ts'

/** How a study looks to its participants. Values only: nothing of it is ever read as a style sheet. */
export const Appearance = Type.Object(
  {
    logo: Type.Optional(
      Name(
        2_000,
        'Picture shown beside the name of the study: an https:// address, or a path on the platform’s own site; none when absent',
      ),
    ),
    accent: Type.Optional(
      Type.String({
        pattern: '^#[0-9A-Fa-f]{6}$',
        description:
          'Colour of buttons and links, as `#rrggbb`; darkened or lightened where it would be hard to read; the platform’s own when absent',
      }),
    ),
  },
  { additionalProperties: false, description: 'How the study looks to its participants' },
)
export type Appearance = Type.Static<typeof Appearance>
