import type { MessageView, RoomSnapshot } from '@atrium/contract'

/** A room as a participant called Blue sees it. */
export const snapshotWith = (more: Partial<RoomSnapshot> = {}): RoomSnapshot => ({
  roomId: 'r1',
  experimentId: 'e1',
  seq: 9,
  serverTime: 5_000,
  status: 'running',
  condition: 'x',
  self: {
    participantId: 'p_agent',
    alias: 'Blue',
    role: 'buyer',
    status: 'active',
    outcome: null,
    ready: false,
    responses: {},
    results: {},
    variables: { own: 3 },
  },
  others: [{ alias: 'Red', role: 'seller', status: 'active', presence: 'connected', ready: false }],
  state: {
    id: 's1',
    name: 'Talk',
    instructions: 'Agree on a price.',
    visit: 1,
    round: 1,
    rounds: 2,
    enteredAt: 1_000,
    deadlineAt: 60_000,
    endsOn: 'button',
    buttonLabel: null,
    components: [],
    isWaiting: false,
  },
  globalComponents: [],
  variables: { price: 10 },
  messages: [],
  progress: { done: 0, of: 2 },
  ...more,
})

export const message = (text: string, from = 'Red', componentId: string | null = 'talk'): MessageView => ({
  messageId: 'm',
  from,
  componentId,
  text,
  at: 2_000,
})
