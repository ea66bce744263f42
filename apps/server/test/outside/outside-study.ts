/** Everything that a reviewer asks about at once: four people and a hidden agent, with a second one that takes a lost seat. */
export const outsideStudy = (credentialId: string) => ({
  name: 'Sharing in two orders',
  description: 'Do people share less after they have been asked about taxes?',
  about: {
    authors: [{ name: 'Ada Example', orcid: '0000-0002-1825-0097' }],
    licence: 'CC-BY-4.0',
    citation: 'Example, A. (2026). Sharing in two orders.',
    funding: 'Nobody',
    contact: 'ada@example.org',
    keywords: ['sharing', 'order effects'],
  },
  consent: { text: 'You talk and share. Texts are sent to a language model.', sendsTextToModels: true },
  identityDays: 30,
  paradata: ['focus', 'paste', 'typing', 'device', 'network'],
  disclosure: { agents: 'hidden' },
  conditions: { values: ['lowreturn', 'highreturn'], assign: 'balanced', balance: 'completed' },
  variables: {
    given: { scope: 'participant', initial: 0 },
    earned: { scope: 'participant', initial: 0 },
    pot: 0,
  },
  states: [
    {
      id: 'taxes',
      components: [{ id: 'taxesFair', type: 'slider', min: 0, max: 100 }],
      end: { on: 'all_responded' },
    },
    {
      id: 'charity',
      components: [{ id: 'charityGood', type: 'slider', min: 0, max: 100 }],
      end: { on: 'all_responded' },
    },
    { id: 'talk', components: [{ id: 'chat', type: 'chat' }], end: { on: 'button' } },
    {
      id: 'share',
      components: [
        { id: 'contribution', type: 'slider', min: 0, max: 20, saveTo: 'given' },
        { id: 'why', type: 'text_input', required: false },
      ],
      end: { on: 'all_responded' },
      onEnd: { pot: 'sum(responses.contribution)', earned: '20 - given + pot / 3' },
    },
    { id: 'thanks', components: [], end: { on: 'button' } },
  ],
  blocks: [{ id: 'opinions', states: ['taxes', 'charity'], order: 'latin_square' }],
  pacing: 'room',
  matching: { groupSize: 4 },
  agents: [agentOf('robin', credentialId, { seats: 1 }), agentOf('sam', credentialId, { replaces: true })],
  dropout: { policy: 'replace_with_agent', graceMs: 20_000 },
  completion: {
    codes: { SUCCESS: 'C-DONE', NO_CONSENT: 'C-NO', ABANDONED: 'C-LEFT', TECHNICAL: 'C-TECH' },
    payment: { currency: 'EUR', base: 1, bonus: 'earned' },
  },
})

/** No time to think, so that the story is quick. */
const pacing = { thinkMs: 0, thinkSpreadMs: 0, charactersPerSecond: 10_000, lullMs: 1_000 }

const agentOf = (id: string, credentialId: string, more: object) => ({
  id,
  name: id,
  credentialId,
  instructions: 'Share what you like.',
  pacing,
  ...more,
})
