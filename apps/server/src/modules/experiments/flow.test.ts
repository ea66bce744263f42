import { expect, test } from 'vitest'
import type { FlowGroup } from './experiments.store.ts'
import { flowOf } from './flow.ts'

const group = (people: number, more: Partial<FlowGroup>): FlowGroup => ({
  ...{ condition: null, outcome: null, dropReason: null, hasRoom: true, consent: 'given', status: null },
  people,
  ...more,
})

test('[X90] people who are assigned to a room have consented where the study asks for it', () => {
  const groups = [
    group(4, { outcome: 'SUCCESS', condition: 'a' }),
    group(2, { consent: 'asked', status: 'active' }),
    group(1, { outcome: 'NO_CONSENT', consent: 'asked' }),
    group(3, { outcome: 'NO_CONSENT', dropReason: 'withdrawn', consent: 'asked' }),
  ]
  const { arrived, consented, assigned } = flowOf(groups, [], false).total
  expect({ arrived, consented, assigned }).toEqual({ arrived: 10, consented: 7, assigned: 7 })
  expect(flowOf([group(5, { consent: 'none' })], [], false).total.assigned).toBe(5)
})

test('[R92,X90] everybody who arrived is counted once, where their participation ended, in all and by condition', () => {
  const groups = [
    group(1, { condition: 'a', outcome: 'SUCCESS' }),
    group(2, { condition: 'b', outcome: 'SUCCESS' }),
    group(3, { condition: 'a', outcome: 'ABANDONED', dropReason: 'left' }),
    group(4, { outcome: 'TECHNICAL', dropReason: 'removed' }),
    group(5, { outcome: 'NO_CONSENT', dropReason: 'withdrawn', consent: 'asked' }),
    group(6, { outcome: 'NO_CONSENT', hasRoom: false, consent: 'asked' }),
    group(7, { hasRoom: false, status: 'active' }),
    group(8, { status: 'active' }),
    group(9, { status: 'expired', hasRoom: false }),
    group(10, { status: 'revoked' }),
    group(11, { outcome: 'SCREENED_OUT' }),
    group(12, { hasRoom: false, consent: 'asked', status: 'active' }),
    group(13, { consent: 'asked', status: 'active' }),
    group(14, { hasRoom: false, consent: 'none', status: 'active' }),
  ]
  const { total, conditions } = flowOf(groups, [{ condition: 'a', people: 12 }], true)
  const { arrived, consented, assigned, dropped, ...ends } = total
  expect(ends).toEqual({
    ...{ completed: 3, removed: 14, withdrawn: 5, declined: 6, waiting: 21, inProgress: 8, screenedOut: 11 },
    ...{ awaitingConsent: 25, notMatched: 0, deleted: 12 },
  })
  expect(dropped).toEqual({ left: 3, disconnected: 9, partnerLeft: 0, timedOut: 0, quotaFull: 0, ended: 0 })
  expect([arrived, consented, assigned]).toEqual([117, 60, 44])
  const sum = [...Object.values(ends), ...Object.values(dropped)].reduce((all, one) => all + one, 0)
  expect(sum).toBe(arrived)
  expect(conditions.map(({ condition, arrived, completed }) => [condition, arrived, completed])).toEqual([
    ['a', 16, 1],
    ['b', 2, 2],
    [null, 99, 0],
  ])
  expect(flowOf([group(1, { hasRoom: false, status: 'active' })], [], false).total.inProgress).toBe(1)
})
