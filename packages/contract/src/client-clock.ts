import { Type } from 'typebox'
import { maxClockOffsetMs } from './clock-bound.ts'
import { AnswerParadata } from './paradata.ts'
import { DurationMs, EpochMs } from './text.ts'

/** What a page has measured of its own clock, for times that it sends with it. */
export const ClockReport = Type.Object(
  {
    offsetMs: Type.Number({
      minimum: -maxClockOffsetMs,
      maximum: maxClockOffsetMs,
      description: 'The server’s clock minus the participant’s',
    }),
    errorMs: Type.Number({
      minimum: 0,
      maximum: maxClockOffsetMs,
      description: 'The offset is off by at most this much',
    }),
  },
  {
    additionalProperties: false,
    description: 'How far the participant’s clock is from the server’s, as measured by the page',
  },
)
export type ClockReport = Type.Static<typeof ClockReport>

/** When a participant did something, by their own clock, which may be wrong. */
export const clientMoment = {
  clientTime: Type.Optional(
    EpochMs('When they did it, by the participant’s clock, in milliseconds since 1970'),
  ),
  clock: Type.Optional(ClockReport),
}

/** How a participant gave an answer, as measured by the page. */
export const answerTiming = {
  responseTime: Type.Optional(
    DurationMs(
      'Milliseconds from the first paint in which the component was visible to the last change of the answer',
    ),
  ),
  firstInteractionMs: Type.Optional(
    DurationMs('Milliseconds from that paint to the first focus, press or key in the component'),
  ),
  changes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'How often the answer was changed before it was sent',
    }),
  ),
  paradata: Type.Optional(AnswerParadata),
}
