import type { Agent, ExperimentDefinition } from '@atrium/contract'

export const agentsPerRoom = 4
/** A message, then a price. */
export const turnsPerRound = 2

const price = { id: 'price', type: 'slider', label: 'Your price', max: 200 }

/** Everyone writes one message and names a price, again and again. */
export const bargaining = (rounds: number): ExperimentDefinition => ({
  name: 'Bargaining',
  agentInstructions:
    'Four dealers bargain over a bicycle. Each round, everyone says something and names a price.',
  states: [
    {
      id: 'talk',
      name: 'Talk',
      instructions: 'Talk about the price of the bicycle.',
      components: [{ id: 'chat', type: 'chat' }],
    },
    { id: 'price', name: 'Price', components: [price], end: { on: 'all_responded' } },
  ],
  blocks: [{ id: 'rounds', states: ['talk', 'price'], rounds }],
  matching: { groupSize: agentsPerRoom },
})

/** All in a room act at the same time: whatever the pace, each room makes a burst. */
export const dealer = (credentialId: string, thinkMs: number): Agent => ({
  id: 'dealer',
  name: 'Dealer',
  credentialId,
  instructions: 'You sell bicycles. Be friendly, but do not go below 100.',
  pacing: { thinkMs, thinkSpreadMs: 0, charactersPerSecond: 10_000, maxReplies: 1 },
})
