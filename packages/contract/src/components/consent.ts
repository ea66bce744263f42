import { type TSchema, Type } from 'typebox'
import { compiledOnce } from '../compiled-once.ts'
import { defaultTo, inUnit } from './annotations.ts'
import { declareType, warning } from './component-type.ts'
import { addressFindings, Flag, OptionalAddress, Text, Whole } from './settings.ts'

const agreed = { title: 'Agreed', description: 'False ends the experiment for the participant' }
const scrolledToEnd = { title: 'Scrolled to the end', description: 'The end of the text was in view' }

const Decision = <Agreed extends TSchema, Scrolled extends TSchema>(decided: Agreed, scrolled: Scrolled) =>
  Type.Object(
    {
      agreed: decided,
      readMs: inUnit(
        'ms',
        Type.Optional(
          Type.Number({
            title: 'Reading time',
            minimum: 0,
            description: 'Reading time, by the client’s clock',
          }),
        ),
      ),
      scrolledToEnd: scrolled,
      fileOpened: Type.Optional(
        Type.Boolean({
          title: 'File opened',
          description: 'The file of the consent was opened or downloaded',
        }),
      ),
    },
    { title: 'Decision', additionalProperties: false },
  )

const Response = Decision(Type.Boolean(agreed), Type.Optional(Type.Boolean(scrolledToEnd)))

/** With `requireScroll`: whoever agrees has read to the end; declining is always possible. */
const ResponseAfterReading = Type.Union(
  [
    Decision(Type.Literal(true, agreed), Type.Literal(true, scrolledToEnd)),
    Decision(Type.Literal(false, agreed), Type.Optional(Type.Boolean(scrolledToEnd))),
  ],
  { title: 'Decision' },
)

const isResponse = compiledOnce(Response)

/** A margin, because the clocks of client and server differ slightly. */
const afterReadingMs = 50

export const consent = declareType({
  type: 'consent',
  title: 'Consent',
  description:
    'A text to agree to. Participants who decline leave the experiment with the outcome NO_CONSENT. The server measures the reading time.',
  place: 'state',
  settings: Type.Object({
    text: defaultTo('', Text('Text', 100_000, 'The consent text; empty when absent', { format: 'markdown' })),
    minReadMs: defaultTo(
      0,
      inUnit(
        'ms',
        Whole(
          'Reading time',
          0,
          3_600_000,
          'Minimum reading time before the participant can agree; none when absent',
        ),
      ),
    ),
    requireScroll: Flag(
      'Read to the end',
      'The participant must scroll to the end of the text before agreeing',
    ),
    file: OptionalAddress(
      'File to keep',
      'Address of a file with the consent, such as a PDF, which participants can download; none when absent',
    ),
    fileLabel: Text('Link to the file', 200, 'Text of the link to the file; a default text when absent'),
    agreeLabel: Text('Button to agree', 200, 'Button text; a default label when absent'),
    declineLabel: Text('Button to decline', 200, 'Button text; a default label when absent'),
  }),
  responds: 'once',
  requiredByDefault: true,
  sentBy: 'own_button',
  asksForConsent: true,
  records:
    'Whether the participant agreed, the reading time, whether they reached the end of the text, and whether they opened the file.',
  example: {
    settings: { text: 'You may stop at any time …', minReadMs: 5_000, requireScroll: true },
    response: { agreed: true, readMs: 8_200, scrolledToEnd: true },
  },
  response: ({ requireScroll }) => (requireScroll ? ResponseAfterReading : Response),
  evaluate: ({ minReadMs, requireScroll }, value, { elapsedMs }) => {
    if (!isResponse(value)) return { kind: 'refused', message: 'Please say whether you agree.' }
    if (!value.agreed) return { kind: 'accepted', isFinal: true, outcome: 'NO_CONSENT' }
    if (elapsedMs < minReadMs) {
      const seconds = Math.ceil((minReadMs - elapsedMs) / 1_000)
      const unit = seconds === 1 ? 'second' : 'seconds'
      return { kind: 'refused', message: `Please read the text first. You can agree in ${seconds} ${unit}.` }
    }
    if (requireScroll && !value.scrolledToEnd)
      return { kind: 'refused', message: 'Please read to the end of the text before you agree.' }
    return { kind: 'accepted', isFinal: true }
  },
  findings: ({ file }, written) => [
    ...addressFindings('/file', file),
    ...(file === undefined && 'fileLabel' in written
      ? [warning('/fileLabel', '‘fileLabel’ has no effect without ‘file’')]
      : []),
  ],
  simulated: {
    usualMs: 4_000,
    earliestMs: ({ minReadMs }) => (minReadMs > 0 ? minReadMs + afterReadingMs : 0),
    answer: ({ minReadMs }) => ({ agreed: true, readMs: minReadMs, scrolledToEnd: true }),
  },
})
