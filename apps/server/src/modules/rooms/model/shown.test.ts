import { describe, expect, it } from 'vitest'
import { component, group, playRoom, state } from '../test/played-room.ts'

const work = component('work', 'multiple_choice', { options: ['yes', 'no'] })
const hours = component('hours', 'slider', { when: "answers.work == 'yes'" })
const why = component('why', 'text_response', { when: 'answers.hours > 50', required: false })
const page = (components: object[], more: object = {}) =>
  playRoom({ states: [state('ask', { components: components as never, ...more }), state('after')] })
const idsSeen = (room: ReturnType<typeof playRoom>, who = 'p1') =>
  room.snapshot(who).state?.components.map(({ id }) => id)
const missingOf = (room: ReturnType<typeof playRoom>) =>
  room.records.filter(({ type }) => type === 'answers_missing').map(({ data }) => data.components)

describe('[RM194] what is shown under a condition', () => {
  it('is not awaited while the condition is not met', () => {
    const room = page([work, hours, why])
    expect(room.respond('p1', 'work', 'no')).toBeTypeOf('number')
    expect(room.ready('p1')).toBeTypeOf('number')
    expect(room.at()).toBe('after')
    expect(missingOf(room)).toEqual([
      [
        { componentId: 'hours', reason: 'not_shown' },
        { componentId: 'why', reason: 'not_shown' },
      ],
    ])
  })

  it('is awaited once it is met, and asked in its turn', () => {
    const room = page([work, hours, why])
    room.respond('p1', 'work', 'yes')
    expect(room.ready('p1')).toBe('ACTION_REFUSED')
    expect(room.respond('p1', 'why', 'because')).toBe('NOT_SHOWN')
    room.respond('p1', 'hours', 60)
    expect(room.respond('p1', 'why', 'because')).toBeTypeOf('number')
    room.ready('p1')
    expect(room.at()).toBe('after')
    expect(missingOf(room)).toEqual([])
  })

  it('cannot be answered, and a refused answer changes nothing', () => {
    const room = page([work, hours])
    const before = room.room()
    expect(room.respond('p1', 'hours', 3)).toBe('NOT_SHOWN')
    expect(room.room()).toBe(before)
  })

  it('ends a state that waits for all answers', () => {
    const room = page([work, hours], { end: { on: 'all_responded' } })
    room.respond('p1', 'work', 'no')
    expect(room.at()).toBe('after')
  })

  it('is not sent where the server can decide, and with the rest of its condition where the page must', () => {
    const secret = { secret: { initial: 3, secret: true } }
    const room = playRoom({
      variables: secret,
      states: [
        state('ask', {
          components: [
            work,
            { ...hours, when: 'secret == 4' },
            { ...why, when: "round == 1 || answers.work == 'yes'" },
          ],
        }),
      ],
    })
    expect(idsSeen(room)).toEqual(['work', 'why'])
    expect(room.snapshot('p1').state?.components[1]).toMatchObject({
      when: {
        kind: 'binary',
        operator: '==',
        left: { kind: 'member' },
        right: { kind: 'literal', value: 'yes' },
      },
    })
    expect(JSON.stringify(room.snapshot('p1'))).not.toContain('secret')
  })

  it('appears for whoever it concerns when a value changes', () => {
    const room = playRoom(
      group(
        [
          state('ask', {
            components: [
              component('give', 'slider', { saveTo: 'given' }),
              { ...why, when: 'sum(others.given) > 5' },
            ],
          }),
          state('after'),
        ],
        { variables: { given: { scope: 'participant', initial: 0 } } },
      ),
    )
    expect(idsSeen(room, 'p2')).toEqual(['give'])
    room.respond('p1', 'give', 7)
    expect([idsSeen(room, 'p1'), idsSeen(room, 'p2')]).toEqual([['give'], ['give', 'why']])
    expect(room.heard('p2').filter(({ type }) => type === 'texts')).toMatchObject([
      { state: { components: [{ id: 'give' }, { id: 'why' }] } },
    ])
    expect(room.heard('p1').filter(({ type }) => type === 'texts')).toEqual([])
  })

  it('may be an option or a row, without which an answer is whole', () => {
    const pick = component('pick', 'multiple_choice', {
      options: ['a', { value: 'b', when: "answers.work == 'yes'" }],
    })
    const grid = component('grid', 'matrix', {
      columns: ['never', 'often'],
      rows: ['read', { value: 'commute', when: "answers.work == 'yes'" }],
    })
    const room = page([work, pick, grid])
    expect(room.snapshot('p1').state?.components[1]).toMatchObject({
      options: ['a', { value: 'b', when: { kind: 'binary' } }],
    })
    room.respond('p1', 'work', 'no')
    expect(room.respond('p1', 'pick', 'b')).toBe('NOT_SHOWN')
    expect(room.respond('p1', 'pick', 'c')).toBe('VALIDATION_FAILED')
    expect(room.respond('p1', 'grid', { read: 'often', commute: 'often' })).toBe('NOT_SHOWN')
    expect(room.respond('p1', 'grid', { read: 'often' })).toBeTypeOf('number')
    expect(room.respond('p1', 'pick', 'a')).toBeTypeOf('number')
  })

  it('is not asked, awaited or answered when none of its options is left', () => {
    const onlyAtWork = "answers.work == 'yes'"
    const pick = component('pick', 'multiple_choice', { options: [{ value: 'a', when: onlyAtWork }] })
    const order = component('order', 'ranking', {
      items: ['a', { value: 'b', when: 'round == 2' }, { value: 'c', when: 'round == 3' }],
    })
    const next = component('next', 'text_response', { when: "answers.pick != 'a'", required: false })
    const room = page([work, pick, order, next])
    expect(idsSeen(room)).toEqual(['work', 'pick', 'next'])
    room.respond('p1', 'work', 'no')
    expect(room.respond('p1', 'pick', 'a')).toBe('NOT_SHOWN')
    expect(room.respond('p1', 'pick', 'anything')).toBe('NOT_SHOWN')
    expect(room.respond('p1', 'order', ['a'])).toBe('NOT_SHOWN')
    expect(room.respond('p1', 'next', 'because')).toBeTypeOf('number')
    expect(room.ready('p1')).toBeTypeOf('number')
    expect(missingOf(room)).toEqual([
      [
        { componentId: 'pick', reason: 'not_shown' },
        { componentId: 'order', reason: 'not_shown' },
      ],
    ])
  })

  it('may leave fewer options than are to be chosen, of which all are enough', () => {
    const often = { value: 'b', when: 'round == 2' }
    const pick = component('pick', 'multiple_choice', {
      options: ['a', often],
      multiple: true,
      minChoices: 2,
    })
    const share = component('share', 'constant_sum', {
      items: ['a', 'b', { value: 'c', when: 'round == 2' }],
      max: 40,
    })
    const room = page([pick, share])
    expect(room.respond('p1', 'pick', [])).toBe('VALIDATION_FAILED')
    expect(room.respond('p1', 'pick', ['a'])).toBeTypeOf('number')
    expect(room.respond('p1', 'share', { a: 60, b: 40 })).toBeTypeOf('number')
    expect(room.ready('p1')).toBeTypeOf('number')
  })

  it('leads on by what was answered', () => {
    const room = playRoom({
      states: [
        state('ask', { components: [work], next: [{ to: 'end', when: "answers.work == 'no'" }] }),
        state('after'),
      ],
    })
    room.respond('p1', 'work', 'no')
    room.ready('p1')
    expect(room.at()).toBe(null)
  })

  it('of a shared video is not waited for by those who do not see it', () => {
    const film = component('film', 'video', { src: '/film.mp4', when: 'false' })
    const room = page([work, film], { end: { on: 'button' } })
    room.respond('p1', 'work', 'no')
    expect(room.ready('p1')).toBeTypeOf('number')
  })

  describe('that would end the state', () => {
    const film = component('film', 'video', { src: '/film.mp4' })
    const ends = { on: 'media_ended' as const, componentId: 'film' }

    it('is not waited for where its values hide it', () => {
      const room = page([{ ...film, when: 'round == 2' }], { end: ends })
      expect(room.at()).toBe('after')
    })

    it('is waited for as long as an answer may bring it', () => {
      const optional = { ...work, required: false }
      const yes = page([{ ...film, when: "answers.work == 'yes'" }, optional], { end: ends })
      expect(yes.at()).toBe('ask')
      yes.respond('p1', 'work', 'yes')
      expect(yes.at()).toBe('ask')
      yes.respond('p1', 'film', { ended: true })
      expect(yes.at()).toBe('after')
      const no = page([{ ...film, when: "answers.work == 'yes'" }, optional], { end: ends })
      no.respond('p1', 'work', 'no')
      expect(no.at()).toBe('after')
    })

    it('leaves what else is required to be answered', () => {
      const room = page([{ ...film, when: 'round == 2' }, work], { end: ends })
      expect(room.at()).toBe('ask')
      room.respond('p1', 'work', 'no')
      expect(room.at()).toBe('after')
    })

    it('may be the only question of a state that ends with an answer', () => {
      const end = { on: 'any_responded' as const }
      const shown = page([work, { ...why, when: 'round == 2' }], { end })
      expect(shown.at()).toBe('ask')
      expect(page([{ ...work, when: 'round == 2' }], { end }).at()).toBe('after')
    })

    it('does not cut short what the clock ends', () => {
      const room = page([{ ...work, when: 'round == 2' }], { end: { on: 'any_responded', afterMs: 5_000 } })
      expect(room.at()).toBe('ask')
    })
  })
})
