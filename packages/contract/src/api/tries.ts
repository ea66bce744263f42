import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { EpochMs } from '../text.ts'
import { defineRoute } from './route.ts'

const tries = {
  tag: 'Experiments',
  envelope: 'plain',
  auth: 'researcher',
  access: 'view',
  path: '/api/experiments/:experimentId/tries',
  params: Type.Object({ experimentId: Type.String() }),
} as const

const trySpeeds = { min: 1, max: 100 } as const

const TryBody = Type.Object(
  {
    definition: Type.Unknown({ description: 'What is tried, as for a revision; need not be saved' }),
    speed: Type.Optional(
      Type.Number({
        minimum: trySpeeds.min,
        maximum: trySpeeds.max,
        description:
          'Divides deadlines, waits and reading times, down to two seconds at least; 1 when absent',
      }),
    ),
    startAt: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'State to begin with. Those before it are skipped with what they would have computed; the first when absent',
      }),
    ),
    fill: Type.Optional(
      Type.Boolean({
        description:
          'Scripted agents take the other seats as soon as somebody waits; false when absent: people wait for each other',
      }),
    ),
  },
  { additionalProperties: false },
)
export type TryBody = Type.Static<typeof TryBody>

const triedFields = {
  tryId: Type.String({ description: 'Also the id of the hidden experiment that is played' }),
  link: Type.String({
    description:
      'Path of the page that joins it, for anyone who has the link; with `role` and `seat`, of one pane',
  }),
  endsAt: EpochMs('When it is deleted with all that was done in it'),
}

const StartedTry = Type.Object({
  ...triedFields,
  seats: Type.Array(Type.Object({ role: Type.String({ description: '`participant`: any role' }) }), {
    description: 'For whom to open a pane: every role, and as many people as a group needs, at most eight',
  }),
})
export type StartedTry = Type.Static<typeof StartedTry>

const TryList = Type.Object({
  tries: Type.Array(Type.Object({ ...triedFields, createdAt: EpochMs('When it was started') })),
})

export const tryRoutes = {
  start: defineRoute({
    ...tries,
    work: 'check',
    method: 'POST',
    summary: 'Play a definition without saving it',
    description: `Checked exactly as saving would. Played by the real engine in a hidden experiment that is in no list, export or figure and is deleted after a day. Nobody is redirected, filters, exclusions and parts of matching do not apply, and agents are scripted, so no model is asked. At most ${limits.triesPerResearcher} at a time, with ${limits.tryParticipants} participants each.`,
    body: TryBody,
    success: { status: 201, schema: StartedTry, description: 'It can be joined' },
    errors: ['ACTION_REFUSED', 'STATUS_CONFLICT'],
  }),
  list: defineRoute({
    ...tries,
    method: 'GET',
    summary: 'List your own tries of an experiment',
    success: { status: 200, schema: TryList, description: 'Newest first' },
  }),
  stop: defineRoute({
    ...tries,
    method: 'DELETE',
    path: '/api/experiments/:experimentId/tries/:tryId',
    summary: 'Delete one of your tries with all that was done in it',
    params: Type.Object({ experimentId: Type.String(), tryId: Type.String() }),
    success: {
      status: 200,
      schema: Type.Object({ tryId: Type.String() }),
      description: 'It is gone, or there was none of yours',
    },
  }),
} as const
