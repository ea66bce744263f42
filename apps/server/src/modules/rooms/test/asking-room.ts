import { group, playRoom, slider, state } from './played-room.ts'

export type Policy = 'wait' | 'continue' | 'replace_with_agent' | 'end'
export const graceMs = 5_000
export const ask = { components: [slider], end: { on: 'all_responded' as const } }

/** Three people are asked one question, and then there is nothing more to do. */
export const askingRoom = (policy: Policy, more: object = {}) =>
  playRoom(
    group([state('ask', ask), state('after')], {
      matching: { groupSize: 3 },
      dropout: { policy, graceMs },
      ...more,
    }),
  )
