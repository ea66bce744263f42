import type { ExperimentDefinition } from '@atrium/contract'

interface GroupStudy {
  name: string
  groupSize: number
  rounds: number
}

/** Long, because only a failure may end a participation otherwise than with SUCCESS. */
export const patience = { deadlineMs: 600_000, graceMs: 120_000 }

/** Questions, decisions and a chat, in a group that moves together; nobody is given up within two minutes. */
export const groupStudy = ({ name, groupSize, rounds }: GroupStudy): ExperimentDefinition => ({
  name,
  states: [
    { id: 'opinion', components: [{ id: 'words', type: 'text_response' }], end: { on: 'all_responded' } },
    {
      id: 'contribute',
      components: [{ id: 'contribution', type: 'slider', saveTo: 'given' }],
      end: { on: 'all_responded' },
      onEnd: { pot: 'sum(responses.contribution)' },
    },
    { id: 'feedback', components: [], end: { on: 'button' } },
  ],
  blocks: [{ id: 'rounds', states: ['contribute', 'feedback'], rounds }],
  globalComponents: [{ id: 'chat', type: 'chat' }],
  variables: { pot: 0, given: { scope: 'participant', initial: 0 } },
  matching: { groupSize, deadlineMs: patience.deadlineMs },
  dropout: { policy: 'end', graceMs: patience.graceMs },
})
