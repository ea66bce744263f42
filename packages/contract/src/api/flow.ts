import { Type } from 'typebox'
import { Count } from '../text.ts'
import { defineRoute } from './route.ts'

const counts = {
  arrived: Count(
    'People who joined, deleted ones included: the sum of all below except `consented` and `assigned`',
  ),
  consented: Count(
    'Gave the consent of the definition, also if they withdrew it later; not known of deleted people',
  ),
  awaitingConsent: Count('Have not answered whether they give it'),
  declined: Count('Did not give it'),
  waiting: Count('Waiting for a group'),
  notMatched: Count('Their wait ended without a group'),
  assigned: Count('Got a room, and had consented where the study asks for it; whatever came of it'),
  inProgress: Count('Taking part'),
  completed: Count('Reached a planned end: SUCCESS, or an outcome of the definition’s own'),
  screenedOut: Count('Did not qualify'),
  removed: Count('Removed by a researcher'),
  withdrawn: Count('Took their consent back'),
  dropped: Type.Object(
    {
      disconnected: Count('Vanished'),
      left: Count('Left on their own'),
      partnerLeft: Count('Somebody else in their group stopped'),
      timedOut: Count('A deadline led to the end'),
      quotaFull: Count('Came too late'),
      ended: Count('Their room or the study was ended'),
    },
    { description: 'Everyone else who did not complete, by reason' },
  ),
  deleted: Count(
    'Deleted with all their data; nothing else is known of them. Whoever is only forgotten (`scope=identity`, `identityDays`) is counted as before',
  ),
}
export const FlowCounts = Type.Object(counts)
export type FlowCounts = Type.Static<typeof FlowCounts>

export const maxFlowConditions = 200

/** R92 */
export const ExperimentFlow = Type.Object({
  total: FlowCounts,
  conditions: Type.Array(
    Type.Object({
      condition: Type.Union([Type.String(), Type.Null()], {
        description:
          'Null for people who had no condition: those without a room, and studies without conditions',
      }),
      ...counts,
    }),
    { description: 'By name, null last; at most 200' },
  ),
})
export type ExperimentFlow = Type.Static<typeof ExperimentFlow>

export const flowRoutes = {
  read: defineRoute({
    tag: 'Experiments',
    envelope: 'plain',
    auth: 'researcher',
    access: 'view',
    method: 'GET',
    path: '/api/experiments/:experimentId/flow',
    summary: 'Get how many people came, and what became of them',
    description:
      'The counts of a CONSORT diagram, of all people and by condition. They are those of `drop_reason` and `outcome` in the table `participants`; only here are people counted who have been deleted. Agents are not counted.',
    params: Type.Object({ experimentId: Type.String() }),
    success: { status: 200, schema: ExperimentFlow, description: 'Current counts' },
  }),
} as const
