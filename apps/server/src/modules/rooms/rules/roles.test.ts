import type { State } from '@atrium/contract'
import { describe, expect, it } from 'vitest'
import { group, playRoom, slider, state } from '../test/played-room.ts'

const pair = (states: State[], more: object = {}) =>
  playRoom(group(states, { roles: ['seller', 'buyer'], ...more }), { roles: ['seller', 'buyer'] })
const onlySeller = { roles: ['seller'] }
const video = { id: 'film', type: 'video', src: '/film.mp4' }

describe('Who sees what', () => {
  it('[RM16,RM94] in a state of one role the others wait: they see no component of it and can do nothing in it', () => {
    const room = pair([
      state('offer', { ...onlySeller, instructions: 'Offer.', components: [slider] }),
      state('after'),
    ])
    expect(room.snapshot('p1').state).toMatchObject({
      isWaiting: false,
      components: [slider],
      instructions: 'Offer.',
    })
    expect(room.snapshot('p2').state).toMatchObject({ isWaiting: true, components: [], instructions: null })
    expect(room.respond('p2', 'rate', 1)).toBe('ACTION_REFUSED')
    expect(room.ready('p2')).toBe('ACTION_REFUSED')
    room.respond('p1', 'rate', 1)
    room.ready('p1')
    expect(room.at('p2')).toBe('after')
  })

  it('[RM16] only those who see a state can press its button', () => {
    const room = pair([state('offer', onlySeller), state('after')])
    expect(room.ready('p2')).toBe('ACTION_REFUSED')
    room.ready('p1')
    expect(room.at('p2')).toBe('after')
  })

  it('[RM16] a state of a role that nobody has is skipped', () => {
    const states = [state('a'), state('b', { roles: ['judge'] }), state('c')]
    const room = playRoom(group(states, { roles: ['seller', 'judge'] }), { roles: ['seller', 'seller'] })
    for (const who of ['p1', 'p2']) room.ready(who)
    expect(room.path()).toEqual(['a', 'c'])
  })

  it('[RM17] a component of one role is shown to it and answered by it alone', () => {
    const components = [
      { ...slider, ...onlySeller },
      { id: 'hello', type: 'text', text: 'Hello' },
    ]
    const room = pair([state('ask', { components, end: { on: 'all_responded' } }), state('after')])
    expect(room.snapshot('p1').state?.components.map(({ id }) => id)).toEqual(['rate', 'hello'])
    expect(room.snapshot('p2').state?.components.map(({ id }) => id)).toEqual(['hello'])
    expect(room.respond('p2', 'rate', 1)).toBe('ACTION_REFUSED')
    room.respond('p1', 'rate', 1)
    expect(room.at()).toBe('after')
  })

  it('[RM17] global components are shown in their states, to their roles', () => {
    const room = pair([state('a'), state('b')], {
      globalComponents: [
        { id: 'everywhere', type: 'timer' },
        { id: 'later', type: 'progress', states: ['b'] },
        { id: 'sellers', type: 'chat', ...onlySeller },
      ],
    })
    const shown = (who: string) => room.snapshot(who).globalComponents.map(({ id }) => id)
    expect([shown('p1'), shown('p2')]).toEqual([['everywhere', 'sellers'], ['everywhere']])
    for (const who of ['p1', 'p2']) room.ready(who)
    expect(shown('p1')).toEqual(['everywhere', 'later', 'sellers'])
  })

  it('[RM17] settings that only the server needs are not sent', () => {
    const components = [{ ...slider, ...onlySeller, saveTo: 'x' }]
    const room = pair([state('a', { components })], { variables: { x: 0 } })
    expect(room.snapshot('p1').state?.components).toEqual([slider])
  })

  it('[RM18] a state whose only role is gone does not hold up the others', () => {
    const room = pair([state('offer', onlySeller), state('after')])
    room.leave('p1')
    expect(room.at('p2')).toBe('after')
  })

  it('[RM18] … nor one whose role was dropped; during the grace period it is awaited', () => {
    for (const policy of ['wait', 'continue'] as const) {
      const room = pair([state('offer', onlySeller), state('after')], { dropout: { policy, graceMs: 1_000 } })
      room.disconnect('p1')
      room.pass(999)
      expect(room.at('p2')).toBe('offer')
      room.pass(1)
      expect(room.at('p2')).toBe('after')
    }
  })

  it('[RM18] a state that only a dropped participant would see is skipped', () => {
    const room = pair([state('a'), state('offer', onlySeller), state('after')], {
      dropout: { policy: 'wait', graceMs: 1_000 },
    })
    room.disconnect('p1')
    room.pass(1_000)
    room.ready('p2')
    expect(room.path('p2')).toEqual(['a', 'after'])
  })

  it.each([
    { end: { on: 'any_responded' as const }, component: slider },
    { end: { on: 'media_ended' as const, componentId: 'film' }, component: video },
  ])('[RM18] $end.on is not awaited when everyone who sees the component is gone', ({ end, component }) => {
    const room = pair([state('ask', { components: [{ ...component, ...onlySeller }], end }), state('after')])
    expect(room.at('p2')).toBe('ask')
    room.leave('p1')
    expect(room.at('p2')).toBe('after')
  })

  it('[RM18] a room whose people are all dropped stays where it is', () => {
    const room = pair([state('offer'), state('after')], { dropout: { policy: 'wait', graceMs: 1_000 } })
    for (const who of ['p1', 'p2']) room.disconnect(who)
    room.pass(60_000)
    expect(room.statuses()).toEqual(['dropped', 'dropped'])
    room.connect('p2')
    expect(room.at('p2')).toBe('offer')
  })
})
