import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { RecordOf } from '../record-of.ts'

const Strict = { additionalProperties: false }

const ProlificCodes = RecordOf(
  Type.String(),
  Type.String({
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    description: 'A completion code of the study at Prolific',
  }),
  {
    maxProperties: limits.definition.completionCodes,
    description:
      'Outcome → completion code at Prolific; the code in `completion.codes` when absent. People whose outcome has neither stay on the last page',
  },
)

const Outcomes = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description,
  })

/** An id in the address of a recruiting site. */
const SiteId = (description: string, examples: string[]) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]{1,128}$', description, examples })

export const Recruiting = Type.Object(
  {
    prolific: Type.Optional(
      Type.Object(
        {
          codes: Type.Optional(ProlificCodes),
          studies: Type.Optional(
            RecordOf(
              Type.String({ pattern: '^[A-Za-z0-9_-]{1,128}$' }),
              Type.Object({ codes: ProlificCodes }, Strict),
              {
                additionalProperties: false,
                maxProperties: 100,
                description:
                  'Study id at Prolific → its own codes, where several studies recruit for this experiment',
              },
            ),
          ),
        },
        { ...Strict, description: 'People from Prolific return there with the code for their outcome' },
      ),
    ),
    sona: Type.Optional(
      Type.Object(
        {
          school: Type.String({
            pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
            description: 'The first part of the address: `SCHOOL.sona-systems.com`',
          }),
          experimentId: SiteId('`experiment_id` in the completion URL that SONA shows', ['123']),
          creditToken: SiteId('`credit_token` in the completion URL that SONA shows', ['a1b2c3']),
          creditFor: Type.Optional(
            Outcomes(
              'Outcomes that are granted credit; everyone else stays on the last page; SUCCESS when absent',
            ),
          ),
        },
        { ...Strict, description: 'People from SONA return there and are granted credit' },
      ),
    ),
    mturk: Type.Optional(
      Type.Object(
        {
          submitFor: Type.Optional(
            Outcomes(
              'Outcomes with which the assignment is submitted; everyone else is asked to return the HIT; SUCCESS when absent',
            ),
          ),
        },
        { ...Strict, description: 'The assignments of people from Mechanical Turk are submitted at the end' },
      ),
    ),
  },
  {
    ...Strict,
    description:
      'How people return to the site that recruited them, recognised by the parameters of its links (`PROLIFIC_PID`, `sona_id`, `workerId`); everyone else follows `completion`',
  },
)
export type Recruiting = Type.Static<typeof Recruiting>
