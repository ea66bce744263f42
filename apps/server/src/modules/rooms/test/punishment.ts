import { component } from './played-room.ts'

/** Points taken from each of the others, with what such a study counts. */
export const punish = component('punish', 'slider', {
  forEach: 'others',
  label: 'Points for {{each.alias}}, who gave {{each.given}}',
  max: { from: 'each.given' },
})
export const variables = {
  given: { scope: 'participant', initial: 0 },
  cost: { scope: 'participant', initial: 0 },
  fine: { scope: 'participant', initial: 0 },
  tally: { scope: 'participant', initial: null },
  hidden: { scope: 'participant', initial: 7, secret: true },
}
