import { Type } from 'typebox'
import { Matching } from '../definition/matching.ts'
import { RecordOf } from '../record-of.ts'
import { Count, Name } from '../text.ts'
import { defineRoute } from './route.ts'

const Strict = { additionalProperties: false }
const Weights = (description: string) =>
  RecordOf(Name(200, 'Value'), Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }), {
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1_000,
    description,
  })

const SampleValue = Type.Union([Type.String({ maxLength: 200 }), Type.Number(), Type.Boolean(), Type.Null()])

export const DryRunArrivals = Type.Object(
  {
    people: Type.Integer({
      minimum: 1,
      maximum: 20_000,
      description: 'Number of people who arrive in total',
    }),
    perMinute: Type.Optional(
      Type.Number({ minimum: 0.01, maximum: 100_000, description: 'Arrivals per minute; 6 when absent' }),
    ),
    pattern: Type.Optional(
      Type.Enum(['poisson', 'even', 'all_at_once'], {
        description:
          '`poisson`: independently of each other; `even`: at equal intervals; `all_at_once`; poisson when absent',
      }),
    ),
    attributes: Type.Optional(
      RecordOf(Name(200, 'Field of the join metadata'), Weights('Value → relative frequency'), {
        additionalProperties: false,
        maxProperties: 50,
        description:
          'Join metadata, drawn for each person. Values that look like a number, `true` or `false` are read as such',
      }),
    ),
    variables: Type.Optional(
      RecordOf(Name(200, 'Participant variable'), Weights('Value → relative frequency'), {
        additionalProperties: false,
        maxProperties: 50,
        description:
          'What people answered before they wait: participant variables, drawn for each person as `attributes` are',
      }),
    ),
    sample: Type.Optional(
      Type.Array(
        RecordOf(Name(200, 'Participant variable or field of the join metadata'), SampleValue, {
          additionalProperties: false,
          maxProperties: 50,
        }),
        {
          minItems: 1,
          maxItems: 5_000,
          description:
            'People to draw from, such as those of a pilot: each simulated person has all values of one of them, drawn with replacement. They come before `variables` and `attributes`',
        },
      ),
    ),
    roles: Type.Optional(Weights('Requested role → relative frequency; any role when absent')),
    leaveAfterMs: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 86_400_000,
        description: 'Average time people wait before they leave; nobody leaves when absent',
      }),
    ),
  },
  { ...Strict, description: 'The simulated arrivals' },
)
export type DryRunArrivals = Type.Static<typeof DryRunArrivals>

const DryRunBody = Type.Object(
  {
    arrivals: DryRunArrivals,
    matching: Type.Optional(Matching),
    seed: Type.Optional(Name(200, 'The same seed gives the same people; a fixed seed when absent')),
  },
  Strict,
)

const Milliseconds = (description: string) => Count(`${description}, in milliseconds`)

const WaitMs = (description: string) =>
  Type.Union(
    [
      Type.Object({
        p50: Milliseconds('Median wait'),
        p90: Milliseconds('90th percentile'),
        p99: Milliseconds('99th percentile'),
        max: Milliseconds('Longest wait'),
        mean: Milliseconds('Mean wait'),
      }),
      Type.Null(),
    ],
    { description },
  )

export const DryRun = Type.Object(
  {
    seed: Type.String(),
    durationMs: Milliseconds('Time from the start to the last event'),
    stoppedEarly: Type.Boolean({
      description:
        'The run was stopped because the queue grew too long; the figures cover the people who had arrived by then',
    }),
    people: Type.Object({
      arrived: Count('People who arrived'),
      matched: Count('People who were placed in a group'),
      endedByDeadline: Count('People whose deadline passed before a group was found'),
      screenedOut: Count('People who did not match the filters'),
      left: Count('People who gave up waiting'),
      stillWaiting: Count('People still waiting at the end'),
    }),
    groups: Type.Object({
      total: Count('All groups'),
      full: Count('Groups within the configured size'),
      short: Count('Started with fewer people at the deadline'),
      withAgents: Count('With agents in some seats'),
    }),
    groupSizes: Type.Array(
      Type.Object({ people: Count('People in the group'), groups: Count('Groups of this size') }),
    ),
    waitMs: WaitMs('Waiting times of matched people; null if nobody was matched'),
    histogram: Type.Array(
      Type.Object({
        fromMs: Milliseconds('From'),
        toMs: Milliseconds('To, exclusive'),
        people: Count('People'),
      }),
      { description: 'The same waiting times in bins of equal width' },
    ),
    parts: Type.Array(
      Type.Object({
        when: Type.String({ description: 'As in `compose`' }),
        count: Count('People of this part in each group'),
        people: Count('People who arrived and fit this part; somebody may fit several'),
        shortShare: Type.Number({
          minimum: 0,
          maximum: 1,
          description:
            'Of the time in which anybody waited, the share in which too few people of this part did to fill its places',
        }),
      }),
      { description: 'How often each part of a group is short; empty without `compose`' },
    ),
    firstCome: Type.Union(
      [
        Type.Object({
          matched: Count('People who would have been placed in a group'),
          waitMs: WaitMs('Their waiting times; null if nobody would have been matched'),
        }),
        Type.Null(),
      ],
      {
        description:
          'How the same people would fare if groups of this size were formed in order of arrival, without roles, `compose`, `exclusions` and `balance`; null without `compose`',
      },
    ),
  },
  { description: 'Results of simulated matching' },
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
    summary: 'Try out matching with simulated people',
    description:
      'Nothing is stored. `matching` overrides the settings of the latest revision and is checked as when a definition is saved. `never_again` has no effect, because simulated people have never met.',
    params: Type.Object({ experimentId: Type.String() }),
    body: DryRunBody,
    success: { status: 200, schema: DryRun, description: 'Results of simulated matching' },
  }),
} as const
