import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { RecordOf } from '../record-of.ts'
import { Name, Prose } from '../text.ts'
import { Payment } from './payment.ts'

const Strict = { additionalProperties: false }

export const Completion = Type.Object(
  {
    codes: Type.Optional(
      RecordOf(Type.String(), Name(200, 'The code of the recruiting platform'), {
        maxProperties: limits.definition.completionCodes,
        description:
          'Outcome (SUCCESS, TIMEOUT, SCREENED_OUT, NO_CONSENT, NOT_MATCHED, PARTNER_LEFT, ABANDONED, TECHNICAL, QUOTA_FULL and STUDY_CLOSED for people who come too late to join, or one that a state ends with) → code; the outcome itself when absent',
      }),
    ),
    noCode: Type.Optional(
      RecordOf(Type.String(), Name(200, 'Why, for whoever reads the definition'), {
        maxProperties: limits.definition.completionCodes,
        description:
          'Outcome → the reason why it has no code, so that nobody is reminded of it; participants do not see it',
      }),
    ),
    verify: Type.Optional(
      Type.Enum(['room', 'none'], {
        description:
          '`room`: the room decides the outcome; until it has, SUCCESS and outcomes that only the flow names are refused (NOT_FINISHED); `none`: the client decides; `room` with matching, a response or condition that a state waits for, or an outcome named by the flow, else `none` when absent',
      }),
    ),
    redirectUrl: Type.Optional(
      Prose(
        2_000,
        'Template; {{code}}, {{participantId}} and {{metadata.X}} are replaced, URL-encoded, in the path, query or fragment; no redirect when absent',
      ),
    ),
    requireAllEvents: Type.Optional(
      Type.Boolean({
        description:
          'Refuse completion while the client reports more events than are stored (EVENTS_MISSING) or sends no summary (VALIDATION_FAILED); false when absent',
      }),
    ),
    allowRepeat: Type.Optional(
      Type.Boolean({ description: 'People can take part again after completing; false when absent' }),
    ),
    payoff: Type.Optional(
      Name(
        64,
        'The variable that holds the participant’s earnings, recorded as `payoff` when they finish; every variable shown by a payoff component when absent',
      ),
    ),
    payment: Type.Optional(Payment),
  },
  { ...Strict, description: 'The code and redirect that participants get at the end' },
)
