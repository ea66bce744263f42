import { Type } from 'typebox'
import { Matching } from '../definition/matching.ts'
import { Count, Name } from '../text.ts'
import { defineRoute } from './route.ts'

const Strict = { additionalProperties: false }
const Weights = (description: string) =>
  Type.Record(Name(200, 'Value'), Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }), {
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1_000,
    description,
  })

export const DryRunArrivals = Type.Object(
  {
    people: Type.Integer({ minimum: 1, maximum: 20_000, description: 'How many come in all' }),
    perMinute: Type.Optional(
      Type.Number({ minimum: 0.01, maximum: 100_000, description: 'How many a minute; 6 when absent' }),
    ),
    pattern: Type.Optional(
      Type.Enum(['poisson', 'even', 'all_at_once'], {
        description:
          '`poisson`: each on their own (when absent); `even`: at equal distances; or `all_at_once`',
      }),
    ),
    attributes: Type.Optional(
      Type.Record(Name(200, 'Field of the join metadata'), Weights('Value → how often, in proportion'), {
        additionalProperties: false,
        maxProperties: 50,
        description:
          'What people say of themselves, drawn for each. A value that reads as a number, `true` or `false` is one',
      }),
    ),
    roles: Type.Optional(Weights('Role they ask for → how often, in proportion; any role when absent')),
    leaveAfterMs: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 86_400_000,
        description: 'How long people wait on average before they leave; nobody leaves when absent',
      }),
    ),
  },
  { ...Strict, description: 'Who would come, and when' },
)
export type DryRunArrivals = Type.Static<typeof DryRunArrivals>

const DryRunBody = Type.Object(
  {
    arrivals: DryRunArrivals,
    matching: Type.Optional(Matching),
    seed: Type.Optional(Name(200, 'The same seed gives the same people; always the same ones when absent')),
  },
  Strict,
)

const Milliseconds = (description: string) => Count(`${description}, in milliseconds`)

export const DryRun = Type.Object(
  {
    seed: Type.String(),
    durationMs: Milliseconds('From the beginning to the last thing that happened'),
    stoppedEarly: Type.Boolean({
      description:
        'The queue became so long that the run was stopped; the figures are of those who came before',
    }),
    people: Type.Object({
      arrived: Count('Who came'),
      matched: Count('Who got into a group'),
      endedByDeadline: Count('For whom nobody was found in time'),
      screenedOut: Count('Who did not fit the filters'),
      left: Count('Who did not want to wait any longer'),
      stillWaiting: Count('Who waits at the end'),
    }),
    groups: Type.Object({
      total: Count('All groups'),
      full: Count('Within the group size'),
      short: Count('Started with fewer people at the deadline'),
      withAgents: Count('With agents in some seats'),
    }),
    groupSizes: Type.Array(
      Type.Object({ people: Count('People in the group'), groups: Count('Groups of this size') }),
    ),
    waitMs: Type.Union(
      [
        Type.Object({
          p50: Milliseconds('Half of them waited no longer'),
          p90: Milliseconds('Nine of ten waited no longer'),
          p99: Milliseconds('99 of 100 waited no longer'),
          max: Milliseconds('The longest wait'),
          mean: Milliseconds('The mean'),
        }),
        Type.Null(),
      ],
      { description: 'How long those waited who were matched; null when nobody was' },
    ),
    histogram: Type.Array(
      Type.Object({
        fromMs: Milliseconds('From'),
        toMs: Milliseconds('To, exclusive'),
        people: Count('People'),
      }),
      { description: 'The same as bins of equal width' },
    ),
  },
  { description: 'How matching would have gone' },
)
export type DryRun = Type.Static<typeof DryRun>

export const matchingRoutes = {
  dryRun: defineRoute({
    tag: 'Matching',
    envelope: 'plain',
    auth: 'researcher',
    access: 'view',
    work: 'check',
    method: 'POST',
    path: '/api/experiments/:experimentId/matching/dry-run',
    summary: 'Try the matching of an experiment on simulated people',
    description:
      'Nobody takes part and nothing is stored. With `matching` other settings are tried than those of the newest revision; they are checked as on saving. `never_again` has no effect: simulated people have not met.',
    params: Type.Object({ experimentId: Type.String() }),
    body: DryRunBody,
    success: { status: 200, schema: DryRun, description: 'How matching would have gone' },
  }),
} as const
