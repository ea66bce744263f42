import { Type } from 'typebox'
import { Count, DurationMs, EpochMs } from '../text.ts'
import { defineRoute } from './route.ts'

const Histogram = {
  counts: Type.Array(Count('How many'), {
    description:
      'One for each of `boundsMs`: those below it and not below the bound before; then one for those above all',
  }),
}
const BoundsMs = Type.Array(DurationMs('Upper bound of a bucket, excluded'))

/** What the plots of the console show. All of it is kept while events are stored, so it costs the same for any number of them. */
export const ExperimentPlots = Type.Object({
  completion: Type.Object({
    bucketMs: Type.Integer({
      minimum: 1,
      description: 'Length of a bucket: an hour, or a day (UTC) in longer studies',
    }),
    buckets: Type.Array(
      Type.Object({
        at: EpochMs('Start of the bucket'),
        joined: Count('Participants who joined for the first time'),
        completed: Count('Participants who completed, with any outcome'),
      }),
      {
        description:
          'Oldest first, from the first participant, including empty buckets; at most the newest 400',
      },
    ),
  }),
  outcomes: Type.Array(
    Type.Object({
      outcome: Type.Union([Type.String(), Type.Null()], { description: 'Null for people without one yet' }),
      people: Count('Participants'),
    }),
    { description: 'The most frequent first, people without one last; at most 100' },
  ),
  states: Type.Array(
    Type.Object({
      stateId: Type.String(),
      entered: Count('How often a participant came into the state; in a loop, several times'),
      wentOn: Count('How often a participant went on from it, to another state or to the planned end'),
      stopped: Count(
        'How many participations ended in it: people who left, were removed, or whose room ended',
      ),
    }),
    { description: 'Where people stop. As rooms record it; where no room did, as pages report it' },
  ),
  responseTimes: Type.Object({
    boundsMs: BoundsMs,
    components: Type.Array(
      Type.Object({ stateId: Type.String(), componentId: Type.String(), ...Histogram }),
      { description: 'Those with the most answers first; at most 200' },
    ),
  }),
  waiting: Type.Object({
    boundsMs: BoundsMs,
    ...Histogram,
    isComplete: Type.Boolean({
      description: 'False if only the newest 1,000 people are counted, those with a room',
    }),
  }),
  isCounting: Type.Boolean({
    description: 'True while events from before an update are still being counted: some figures are too low',
  }),
})
export type ExperimentPlots = Type.Static<typeof ExperimentPlots>

export const plotRoutes = {
  read: defineRoute({
    tag: 'Experiments',
    envelope: 'plain',
    auth: 'researcher',
    access: 'view',
    method: 'GET',
    path: '/api/experiments/:experimentId/plots',
    summary: 'Get what the plots of an experiment show',
    description:
      'People only, without agents: completion over time, outcomes, where people stop, response times by component, and times from joining to a room.',
    params: Type.Object({ experimentId: Type.String() }),
    success: { status: 200, schema: ExperimentPlots, description: 'Current figures' },
  }),
} as const
