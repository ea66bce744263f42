import { Type } from 'typebox'
import { titled } from '../components/annotations.ts'
import { limits } from '../limits.ts'
import { Name } from '../text.ts'

const Strict = { additionalProperties: false }
const mostMoney = 1_000_000

const Pick = Type.Object(
  {
    rounds: Type.Integer({
      title: 'How many rounds',
      minimum: 1,
      maximum: 1_000,
      description: 'How many rounds are drawn; all that somebody has finished if they are fewer',
    }),
    of: titled(
      'Value of a round',
      Name(64, 'Participant variable that holds what a round was worth when the round ends'),
    ),
    block: Type.Optional(
      Name(64, 'Block whose rounds count; every block with more than one round when absent'),
    ),
  },
  {
    ...Strict,
    title: 'Rounds drawn at random',
    description:
      'Pay rounds drawn at random: the value of `of` at the end of each round is kept, and rounds are drawn once for each participant, from the seed of the room. Rounds at whose end it is no number do not count',
  },
)

export const Payment = Type.Object(
  {
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217, e.g. `EUR`' }),
    base: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: mostMoney,
        description: 'Fixed amount for everyone; 0 when absent',
      }),
    ),
    bonus: Type.Optional(
      Name(
        64,
        'Variable whose value is paid in addition, times `rate`, recorded as `payoff` when they finish; no bonus when absent',
      ),
    ),
    rate: Type.Optional(
      Type.Number({
        title: 'Money per point',
        exclusiveMinimum: 0,
        maximum: mostMoney,
        description: 'Money for each point of the bonus, or of the rounds that were drawn; 1 when absent',
      }),
    ),
    pick: Type.Optional(Pick),
    min: Type.Optional(
      Type.Number({
        title: 'Minimum',
        minimum: 0,
        maximum: mostMoney,
        description: 'Nobody who is paid gets less',
      }),
    ),
    max: Type.Optional(
      Type.Number({ title: 'Maximum', minimum: 0, maximum: mostMoney, description: 'Nobody gets more' }),
    ),
    rounding: Type.Optional(
      Type.Enum(['nearest', 'up'], {
        description:
          'To the smallest unit of the currency: `nearest`, half away from zero, or `up`; `nearest` when absent',
      }),
    ),
    outcomes: Type.Optional(
      Type.Array(Name(200, 'An outcome'), {
        minItems: 1,
        maxItems: limits.definition.completionCodes,
        description: 'Outcomes that are paid, with base and bonus; only SUCCESS when absent',
      }),
    ),
    showAmount: Type.Optional(
      Type.Boolean({
        title: 'Tell the amount',
        description:
          'The last page tells participants what they have earned, if their outcome is paid; false when absent',
      }),
    ),
  },
  {
    ...Strict,
    description:
      'What participants earn: the base and the bonus, within `min` and `max`, rounded once to the smallest unit of the currency. It is recorded, stands in the tables `payments` and `participants` of the export and in files for recruiting platforms, and is `payment.amount` and `payment.rounds` in texts; the platform pays nobody',
  },
)
export type Payment = Type.Static<typeof Payment>

/** RM204 */
export const ShownPayment = Type.Object(
  {
    amount: Type.Number({ description: 'In the currency, rounded as it is paid' }),
    currency: Type.String({ description: 'ISO 4217' }),
    rounds: Type.Optional(
      Type.Array(Type.Integer(), { description: 'The rounds that were drawn; absent where none are drawn' }),
    ),
  },
  {
    description:
      'What the participant has earned. Absent unless `completion.payment.showAmount` is set and their outcome is paid',
  },
)
export type ShownPayment = Type.Static<typeof ShownPayment>
