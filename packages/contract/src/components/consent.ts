import { Type } from 'typebox'
import { compiledOnce, declareType } from './component-type.ts'
import { Flag, Text, Whole } from './settings.ts'

const Response = Type.Object(
  {
    agreed: Type.Boolean({ description: 'False ends the experiment for the participant' }),
    readMs: Type.Optional(Type.Number({ minimum: 0, description: 'Reading time, by the client’s clock' })),
    scrolledToEnd: Type.Optional(Type.Boolean({ description: 'The end of the text was in view' })),
  },
  { additionalProperties: false },
)

const isResponse = compiledOnce(Response)

export const consent = declareType({
  type: 'consent',
  title: 'Consent',
  description:
    'A text to agree to. Who declines leaves the experiment with the outcome NO_CONSENT. The reading time is measured by the server.',
  place: 'state',
  settings: Type.Object({
    text: Text(100_000, 'What the participant agrees to; nothing when absent'),
    minReadMs: Whole(0, 3_600_000, 'Time before the participant may agree; none when absent'),
    requireScroll: Flag('The participant may agree only at the end of the text; false when absent'),
    agreeLabel: Text(200, 'Text of the button; a word for agreeing when absent'),
    declineLabel: Text(200, 'Text of the button; a word for declining when absent'),
  }),
  responds: 'once',
  requiredByDefault: true,
  records: 'Whether the participant agreed, the reading time and whether the end of the text was reached.',
  secret: [],
  example: {
    settings: { text: 'You may stop at any time …', minReadMs: 5_000, requireScroll: true },
    response: { agreed: true, readMs: 8_200, scrolledToEnd: true },
  },
  response: () => Response,
  evaluate: ({ minReadMs = 0, requireScroll }, value, { elapsedMs }) => {
    if (!isResponse(value)) return { kind: 'refused', message: 'Say whether you agree.' }
    if (!value.agreed) return { kind: 'accepted', isFinal: true, outcome: 'NO_CONSENT' }
    if (elapsedMs < minReadMs) {
      const seconds = Math.ceil((minReadMs - elapsedMs) / 1_000)
      const unit = seconds === 1 ? 'second' : 'seconds'
      return { kind: 'refused', message: `Please read the text first. You may agree in ${seconds} ${unit}.` }
    }
    if (requireScroll && !value.scrolledToEnd)
      return { kind: 'refused', message: 'Please read the text to its end before you agree.' }
    return { kind: 'accepted', isFinal: true }
  },
})
