import type { ExperimentDefinition } from '@atrium/contract'
import { describe, expect, it } from 'vitest'
import { noQuota } from '../../../../test/no-quota.ts'
import { parseDefinition } from '../../experiments/parse-definition.ts'
import { appendOf } from '../live/room-append.ts'
import { compileBlueprint } from '../model/blueprint.ts'
import type { RoomAction } from '../model/room-action.ts'
import { group, playRoom, slider, state } from '../test/played-room.ts'
import { reduceRoom } from './reduce-room.ts'

const ask = { components: [slider], end: { on: 'all_responded' as const, afterMs: 1_000 } }

describe('Outcomes in the flow', () => {
  it('[RM70,R57] a transition to the end gives the outcome that it names', () => {
    const states = [
      state('ask', {
        ...ask,
        next: [{ to: 'end', when: 'response.rate < 20', outcome: 'SCREENED_OUT' }, { to: 'more' }],
      }),
      state('more'),
    ]
    const out = playRoom({ states })
    out.respond('p1', 'rate', 10)
    expect(out.outcomes()).toEqual(['SCREENED_OUT'])
    expect(out.records.at(-1)).toMatchObject({ type: 'finished', data: { outcome: 'SCREENED_OUT' } })
    expect(out.heard('p1')).toContainEqual(expect.objectContaining({ outcome: 'SCREENED_OUT' }))
    const on = playRoom({ states })
    on.respond('p1', 'rate', 80)
    on.ready('p1')
    expect(on.outcomes()).toEqual(['SUCCESS'])
  })

  it('[RM71,R57] a deadline leads where its state says, and nothing else leads there', () => {
    const states = [
      state('ask', { ...ask, end: { ...ask.end, onTimeout: { outcome: 'TIMEOUT' } } }),
      state('more'),
    ]
    const late = playRoom({ states })
    late.pass(1_000)
    expect(late.outcomes()).toEqual(['TIMEOUT'])
    const inTime = playRoom({ states })
    inTime.respond('p1', 'rate', 1)
    expect(inTime.at()).toBe('more')
  })

  it('[RM71,R57] a deadline may lead to a later state, past the transitions', () => {
    const onTimeout = { to: 'slow' }
    const states = [
      state('ask', { ...ask, end: { ...ask.end, onTimeout }, next: [{ to: 'fast' }] }),
      state('fast', { next: [{ to: 'end' }] }),
      state('slow'),
    ]
    const late = playRoom({ states })
    late.pass(1_000)
    expect(late.path()).toEqual(['ask', 'slow'])
    const inTime = playRoom({ states })
    inTime.respond('p1', 'rate', 1)
    expect(inTime.path()).toEqual(['ask', 'fast'])
  })

  it('[RM71,R57] an answer that is accepted before the clock is checked is in time', () => {
    const states = [state('ask', { ...ask, end: { ...ask.end, onTimeout: { outcome: 'TIMEOUT' } } })]
    const room = playRoom({ states })
    room.passUnnoticed(1_001)
    room.respond('p1', 'rate', 1)
    expect(room.outcomes()).toEqual(['SUCCESS'])
  })

  it('[RM71,R57] where a group moves together, its deadline is everyone’s; those who are gone get ABANDONED', () => {
    const states = [
      state('ask', { ...ask, end: { on: 'timed', afterMs: 90_000, onTimeout: { outcome: 'no_deal' } } }),
    ]
    const room = playRoom(group(states, { matching: { groupSize: 3 } }))
    room.disconnect('p3')
    room.pass(90_000)
    expect(room.outcomes()).toEqual(['no_deal', 'no_deal', 'ABANDONED'])
  })

  it('[RM70,R57] at their own pace, an outcome is for one participant', () => {
    const next = [{ to: 'end', when: 'response.rate < 20', outcome: 'SCREENED_OUT' }]
    const room = playRoom(group([state('ask', { ...ask, next }), state('more')], { pacing: 'participant' }))
    room.respond('p1', 'rate', 10)
    expect(room.outcomes()).toEqual(['SCREENED_OUT', null])
    room.respond('p2', 'rate', 50)
    expect(room.at('p2')).toBe('more')
  })

  it('[RM36] advance by a researcher is not a deadline', () => {
    const states = [
      state('wait', { end: { on: 'timed', afterMs: 1_000, onTimeout: { outcome: 'TIMEOUT' } } }),
      state('more'),
    ]
    const room = playRoom({ states })
    room.dispatch({ type: 'advance', by: 'researcher' })
    expect(room.at()).toBe('more')
  })
})

describe('The decisions that a room hands on', () => {
  /** A number is a time that passes, in milliseconds. */
  function decisionsAfter(given: Partial<ExperimentDefinition>, ...happenings: (RoomAction | number)[]) {
    const room = playRoom(given)
    const last = happenings.pop()
    for (const one of happenings)
      if (typeof one === 'number') room.pass(one)
      else room.dispatch(one)
    room.passUnnoticed(1)
    const { study: definition } = parseDefinition({ name: 'Test', ...given })
    const before = room.room()
    if (typeof last !== 'object') throw new Error('something must happen')
    const reduction = reduceRoom(before, last, room.now(), compileBlueprint(definition))
    if (reduction.kind !== 'applied') throw new Error(reduction.kind)
    const place = { at: room.now(), epoch: 1, seq: 9, before, definition, quota: noQuota, reduction }
    return appendOf({ action: last, text: JSON.stringify(last), ...place }).decisions
  }
  const p1 = { participantId: 'p1' }
  const decidedBy = 'room'
  const answer = { type: 'submit_response' as const, actionId: 'a', componentId: 'rate', value: 1, ...p1 }
  const leave = { type: 'leave' as const, actionId: 'l', ...p1 }
  const two = [state('ask', ask), state('more')]

  /** R92: where a part has ended, and why. */
  const departed = (reason: string, stateId: string) => ({
    departure: { reason, stateId, at: expect.any(Number) },
  })

  it('[RM72,R56,R92] a participant who leaves in the first state frees their place; later they do not', () => {
    expect(decisionsAfter({ states: two }, leave)).toEqual([
      { ...p1, outcome: 'ABANDONED', givesPlaceBack: true, decidedBy, ...departed('left', 'ask') },
    ])
    expect(decisionsAfter({ states: two }, answer, leave)).toEqual([
      { ...p1, outcome: 'ABANDONED', givesPlaceBack: false, decidedBy, ...departed('left', 'more') },
    ])
  })

  it('[RM72,R52] the last answer decides, in the same action', () => {
    expect(decisionsAfter({ states: [state('ask', ask)] }, answer)).toEqual([
      { ...p1, outcome: 'SUCCESS', givesPlaceBack: false, decidedBy },
    ])
    expect(decisionsAfter({ states: two }, answer)).toEqual([])
  })

  it('[S42,R56] people whom the deadline of the first state finds gone free their place, those who are there do not', () => {
    const end = { on: 'timed' as const, afterMs: 90_000, onTimeout: { outcome: 'no_deal' } }
    const states = [state('ask', { ...ask, end })]
    const disconnected = { type: 'disconnected' as const, participantId: 'p2' }
    expect(decisionsAfter(group(states), disconnected, 89_999, { type: 'tick' })).toEqual([
      { ...p1, outcome: 'no_deal', givesPlaceBack: false, decidedBy },
      {
        participantId: 'p2',
        outcome: 'ABANDONED',
        givesPlaceBack: true,
        decidedBy,
        ...departed('disconnected', 'ask'),
      },
    ])
  })

  it('[S42,R56] people who are screened out, decline or find no group free their place at any time', () => {
    const next = [{ to: 'end', outcome: 'SCREENED_OUT' }]
    const states = [state('ask', ask), state('more', { next })]
    const ready = { type: 'ready' as const, actionId: 'r', ...p1 }
    expect(decisionsAfter({ states }, answer, ready)).toEqual([
      {
        ...p1,
        outcome: 'SCREENED_OUT',
        givesPlaceBack: true,
        decidedBy,
        ...departed('screened_out', 'more'),
      },
    ])
  })

  it('[RM72,R56] where the client decides, the store asks what it has recorded before it frees a place', () => {
    expect(decisionsAfter({ states: two, completion: { verify: 'none' } }, leave)).toEqual([
      { ...p1, outcome: 'ABANDONED', givesPlaceBack: true, decidedBy: 'client', ...departed('left', 'ask') },
    ])
  })
})
