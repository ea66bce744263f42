import { describe, expect, test } from 'vitest'
import { playAgain } from '../test/play-again.ts'
import { component, group, playRoom, state } from '../test/played-room.ts'

const ids = ['intro', 'a', 'b', 'c', 'd', 'e']
const components = ids.map((id) =>
  id === 'intro'
    ? component(id, 'text', { text: 'Rate these.' })
    : component(id, 'slider', { required: false }),
)
const definition = (shuffle: boolean | string[], more = {}) =>
  group([state('rate', { components, shuffle })], {
    blocks: [{ id: 'all', states: ['rate'], rounds: 2 }],
    ...more,
  })

type Room = ReturnType<typeof playRoom>
const shownTo = (room: Room, who: string) => room.snapshot(who).state?.components.map(({ id }) => id)
const recorded = (room: Room, who: string) =>
  room.recordsOf(who, 'state_transition').map(({ data }) => data.components)

describe('shuffled components', () => {
  test('[RM242] each participant has an order of their own, which is what their page shows and their record says', () => {
    const room = playRoom(definition(true))
    const [one, other] = [shownTo(room, 'p1'), shownTo(room, 'p2')]
    expect(one?.toSorted()).toEqual(ids.toSorted())
    expect(one).not.toEqual(other)
    expect([recorded(room, 'p1'), recorded(room, 'p2')]).toEqual([[one], [other]])
    expect(room.heard('p1').find(({ type }) => type === 'state_entered')).toMatchObject({
      state: { components: one?.map((id) => ({ id })) },
    })
  })

  test('[RM242] every order is as likely as every other', () => {
    const three = definition(['a', 'b', 'c'])
    const counts = new Map<string, number>()
    for (let seed = 0; seed < 600; seed += 1) {
      const order = recorded(playRoom(three, { seed: `${seed}`, isConnected: false }), 'p1').join()
      counts.set(order, (counts.get(order) ?? 0) + 1)
    }
    // 100 of each are expected, with a standard deviation of 9; the seeds are fixed.
    expect(counts.size).toBe(6)
    for (const count of counts.values()) expect(Math.abs(count - 100)).toBeLessThan(40)
  })

  test('[RM242] components that are not named stay where they are', () => {
    const room = playRoom(definition(['a', 'c', 'e']))
    const shown = shownTo(room, 'p1') ?? []
    expect([shown[0], shown[2], shown[4]]).toEqual(['intro', 'b', 'd'])
    expect([shown[1], shown[3], shown[5]].toSorted()).toEqual(['a', 'c', 'e'])
  })

  test('[RM242] the order lasts for the visit, and is drawn again for the next', () => {
    const room = playRoom(definition(true))
    const before = shownTo(room, 'p1')
    room.disconnect('p1')
    room.connect('p1')
    room.respond('p1', 'a', 3)
    expect(shownTo(room, 'p1')).toEqual(before)
    for (const id of ['p1', 'p2']) room.ready(id)
    expect(shownTo(room, 'p1')).not.toEqual(before)
    expect(recorded(room, 'p1')).toEqual([before, shownTo(room, 'p1')])
  })

  test('[RM242] the same log shows the same order, and without shuffling nothing is recorded', () => {
    const room = playRoom(definition(true))
    room.ready('p1')
    expect(playAgain(room)).toEqual(room.room())
    expect(recorded(playRoom(definition(false)), 'p1')).toEqual([undefined])
    expect(shownTo(playRoom(definition(false)), 'p1')).toEqual(ids)
  })

  test('[RM242] a recorded seed shows the same order in every version', () => {
    expect(shownTo(playRoom(definition(true), { seed: 'recorded' }), 'p1')).toEqual([
      'a',
      'c',
      'intro',
      'b',
      'e',
      'd',
    ])
  })

  test('[RM242] what a role does not see is not recorded for it', () => {
    const roles = [{ id: 'buyer' }, { id: 'seller' }]
    const forBuyers = components.map((one) => (one.id === 'a' ? { ...one, roles: ['buyer'] } : one))
    const room = playRoom(group([state('rate', { components: forBuyers, shuffle: true })], { roles }), {
      roles: ['buyer', 'seller'],
    })
    expect(recorded(room, 'p1').flat()).toContain('a')
    expect(recorded(room, 'p2').flat()).not.toContain('a')
  })
})
