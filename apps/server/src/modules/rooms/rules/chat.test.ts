import { describe, expect, it } from 'vitest'
import { component, group, playRoom, state } from '../test/played-room.ts'

const chat = { id: 'talk', type: 'chat' }
const talking = (components: object[], more: object = {}) =>
  playRoom(
    group(
      [
        state('talk', { components: components.map((one) => ({ id: 'x', type: 'x', ...one })) }),
        state('after'),
      ],
      more,
    ),
  )

describe('Chat', () => {
  it('[RM33] a message reaches everyone, is kept, and is in the record of its sender', () => {
    const room = talking([chat])
    room.say('p1', '  hello ')
    const message = { messageId: 'm1', from: 'P1', componentId: 'talk', text: 'hello', at: room.now() }
    expect(room.heard('p2').at(-1)).toMatchObject({ type: 'message', message })
    expect(room.snapshot('p2').messages).toEqual([message])
    expect(room.recordsOf('p1', 'chat_message')).toMatchObject([
      { stateId: 'talk', componentId: 'talk', data: { text: 'hello' } },
    ])
    expect(room.recordsOf('p2', 'chat_message')).toEqual([])
  })

  it('[RM33] an empty message, one that is too long, and one for something else are refused', () => {
    const room = talking([
      { ...chat, maxLength: 5 },
      { id: 'hello', type: 'text' },
    ])
    expect(room.say('p1', '   ')).toBe('VALIDATION_FAILED')
    expect(room.say('p1', '123456')).toBe('VALIDATION_FAILED')
    expect(room.say('p1', 'hi', { componentId: 'hello' })).toBe('ACTION_REFUSED')
    expect(room.say('p1', 'hi', { componentId: 'nothing' })).toBe('ACTION_REFUSED')
    expect(room.say('p1', ' 12345 ')).toBeTypeOf('number')
  })

  it('[RM33] a chat without a length of its own accepts what the catalogue says: 4,000', () => {
    const room = talking([chat])
    expect(room.say('p1', 'x'.repeat(4_000))).toBeTypeOf('number')
    expect(room.say('p1', 'x'.repeat(4_001))).toBe('VALIDATION_FAILED')
  })

  it('[RM33] there must be a chat in this state, and only one when none is named', () => {
    const room = talking([chat], {
      globalComponents: [
        { id: 'lobby', type: 'chat', states: ['after'] },
        { id: 'everywhere', type: 'chat', states: ['after'] },
      ],
    })
    expect(room.say('p1', 'hi', { componentId: 'lobby' })).toBe('ACTION_REFUSED')
    expect(room.say('p1', 'hi')).toBeTypeOf('number')
    for (const who of ['p1', 'p2']) room.ready(who)
    expect(room.say('p1', 'hi')).toBe('ACTION_REFUSED')
    expect(room.say('p1', 'hi', { componentId: 'lobby' })).toBeTypeOf('number')
    expect(room.say('p1', 'hi', { componentId: 'talk' })).toBe('ACTION_REFUSED')
  })

  it('[RM34] a participant who does not see a chat does not receive it, live or later', () => {
    const states = [state('talk', { components: [{ ...chat, roles: ['a'] }] })]
    const room = playRoom(group(states, { matching: { groupSize: 3 }, roles: ['a', 'b'] }), {
      roles: ['a', 'a', 'b'],
    })
    room.say('p1', 'between us')
    expect(room.heard('p2').at(-1)).toMatchObject({ type: 'message', message: { text: 'between us' } })
    expect(room.snapshot('p2').messages).toHaveLength(1)
    expect(JSON.stringify([room.heard('p3'), room.snapshot('p3')])).not.toContain('between us')
    expect(room.say('p3', 'hi')).toBe('ACTION_REFUSED')
  })

  it('[RM34] the newest 200 messages are kept', () => {
    const room = talking([chat])
    for (let number = 1; number <= 205; number++) room.say('p1', `message ${number}`)
    const { messages } = room.snapshot('p2')
    expect(messages).toHaveLength(200)
    expect([messages[0]?.messageId, messages.at(-1)?.messageId]).toEqual(['m6', 'm205'])
  })

  it('[RM63] a snapshot holds the newest messages of at most 128 KiB, whatever they are made of', () => {
    const maxBytes = 131_072
    for (const letter of ['x', '漢', '"', '\u0001']) {
      const room = talking([chat])
      for (let number = 0; number < 200; number++) room.say('p1', letter.repeat(4_000))
      const { messages } = room.snapshot('p2')
      const [first] = messages
      const sizes = messages.map((message) => Buffer.byteLength(JSON.stringify(message)))
      const bytes = sizes.reduce((sum, size) => sum + size, 0)
      expect(bytes).toBeLessThanOrEqual(maxBytes)
      expect(bytes + (sizes[0] ?? 0)).toBeGreaterThan(maxBytes)
      expect(messages.at(-1)?.messageId).toBe('m200')
      expect(first?.messageId).toBe(`m${201 - messages.length}`)
      expect(room.room().messages).toHaveLength(200)
    }
  })

  it('[RM63] messages that a participant may not read do not count against those they may', () => {
    const states = [state('talk', { components: [chat, component('secret', 'chat', { roles: ['a'] })] })]
    const room = playRoom(group(states, { matching: { groupSize: 3 }, roles: ['a', 'b'] }), {
      roles: ['a', 'a', 'b'],
    })
    room.say('p1', 'hello', { componentId: 'talk' })
    for (let number = 0; number < 50; number++) room.say('p1', 'x'.repeat(4_000), { componentId: 'secret' })
    expect(room.snapshot('p3').messages).toMatchObject([{ text: 'hello' }])
    expect(room.snapshot('p2').messages.map(({ text }) => text)).not.toContain('hello')
  })
})
