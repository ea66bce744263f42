import { describe, expect, it } from 'vitest'
import { component, group, playRoom, state } from '../test/played-room.ts'

const pageOf = (components: object[], variables: object = {}) =>
  playRoom({
    variables: variables as never,
    states: [state('ask', { components: components as never }), state('after')],
  })
const seen = (room: ReturnType<typeof playRoom>, id: string, who = 'p1') =>
  room.snapshot(who).state?.components.find((one) => one.id === id)

describe('[RM195] settings from values', () => {
  it('are numbers and options as this participant has them', () => {
    const own = { endowment: { scope: 'participant', initial: 12 }, names: { initial: ['Ada', 'Bo', 'Ada'] } }
    const room = pageOf(
      [
        component('give', 'slider', { min: 0, max: '{{endowment / 2}}' }),
        component('who', 'multiple_choice', { options: { from: 'names' } }),
      ],
      own,
    )
    expect(seen(room, 'give')).toMatchObject({ min: 0, max: 6 })
    expect(seen(room, 'who')).toMatchObject({ options: ['Ada', 'Bo'] })
    expect(room.respond('p1', 'give', 7)).toBe('VALIDATION_FAILED')
    expect(room.respond('p1', 'give', 6)).toBeTypeOf('number')
    expect(room.respond('p1', 'who', 'Cy')).toBe('VALIDATION_FAILED')
    expect(room.respond('p1', 'who', 'Bo')).toBeTypeOf('number')
  })

  it('are kept within what the setting may be, so that no value stops a room', () => {
    const room = pageOf(
      [
        component('talk', 'text_input', {
          maxLength: { from: 'huge' },
          placeholder: 'x',
          kind: { from: 'words' },
        }),
        component('pick', 'multiple_choice', { options: { from: 'nothing' } }),
      ],
      { huge: 1e12, words: 'many', nothing: { initial: [] } },
    )
    expect(seen(room, 'talk')).toMatchObject({ maxLength: 20_000 })
    expect(seen(room, 'talk')).not.toHaveProperty('kind')
    const { options } = Object(seen(room, 'pick'))
    expect(room.respond('p1', 'talk', 'word')).toBeTypeOf('number')
    expect(room.respond('p1', 'pick', options[0])).toBeTypeOf('number')
    expect(room.ready('p1')).toBeTypeOf('number')
    expect(room.at()).toBe('after')
  })

  it('change with the values, for whomever they concern', () => {
    const room = playRoom(
      group(
        [
          state('ask', {
            components: [
              component('give', 'slider', { saveTo: 'given' }),
              component('punish', 'slider', { max: { from: 'max(others.given)' } }),
            ],
          }),
          state('after'),
        ],
        { variables: { given: { scope: 'participant', initial: 1 } } },
      ),
    )
    room.respond('p1', 'give', 7)
    expect([seen(room, 'punish', 'p1'), seen(room, 'punish', 'p2')]).toMatchObject([{ max: 1 }, { max: 7 }])
    expect(room.heard('p2').filter(({ type }) => type === 'texts')).toMatchObject([
      { state: { components: [{ id: 'give' }, { id: 'punish', max: 7 }] } },
    ])
    expect(room.respond('p1', 'punish', 7)).toBe('VALIDATION_FAILED')
    expect(room.respond('p2', 'punish', 7)).toBeTypeOf('number')
  })

  it('lead nowhere that the study does not name', () => {
    const pictures = (src: unknown, value: string) =>
      seen(pageOf([component('face', 'image', { src, alt: 'A face' })], { said: value }), 'face')
    expect(pictures('{{said}}', 'media:ada.png')).toMatchObject({ src: 'media:ada.png' })
    expect(pictures('/faces/{{said}}.png', '4000')).toMatchObject({ src: '/faces/4000.png' })
    expect(pictures("{{if(said == 'a', 'https://one.example/a.png', '/b.png')}}", 'a')).toMatchObject({
      src: 'https://one.example/a.png',
    })
    for (const said of [
      'https://evil.example/a.png',
      '//evil.example/a.png',
      'javascript:alert(1)',
      '\\\\evil',
    ])
      expect(pictures('{{said}}', said)).not.toHaveProperty('src')
  })

  it('bring no expressions and no markup with them, and nothing of how they are found is sent', () => {
    const room = pageOf(
      [
        component('pick', 'multiple_choice', { options: ['{{said}}', 'no'] }),
        component('key', 'attention_check', { options: ['a', 'b'], correct: { from: 'secret' } }),
      ],
      { said: { expression: "join(['{', '{secret}}'], '')" }, secret: { initial: 'b', secret: true } },
    )
    expect(seen(room, 'pick')).toMatchObject({ options: ['{ {secret}}', 'no'] })
    expect(JSON.stringify(room.snapshot('p1'))).not.toMatch(/"from"|correct|if\(/)
    expect(room.respond('p1', 'pick', '{ {secret}}')).toBeTypeOf('number')
    expect(room.respond('p1', 'key', { answer: 'b' })).toBeTypeOf('number')
    expect(room.records.at(-1)?.data).toMatchObject({ value: { passed: true } })
  })
})
