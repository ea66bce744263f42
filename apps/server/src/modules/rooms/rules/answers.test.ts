import { describe, expect, it } from 'vitest'
import { component, group, openedAt, playRoom, slider, state } from '../test/played-room.ts'

const quiz = (more: object = {}) => ({
  id: 'quiz',
  type: 'instructions',
  pages: ['Read this.'],
  questions: [
    { id: 'one', options: ['yes', 'no'], correct: 'yes' },
    { id: 'two', options: [1, 2], correct: 2 },
  ],
  maxAttempts: 2,
  ...more,
})
const right = { answers: { one: 'yes', two: 2 } }
const wrong = { answers: { one: 'yes', two: 1 } }
const asking = (component: object, more: object = {}) =>
  playRoom({
    states: [state('ask', { components: [{ id: 'x', type: 'x', ...component }], ...more }), state('after')],
  })

describe('Answers', () => {
  it('[RM27] a comprehension check is scored by the server and may be tried again', () => {
    const room = asking(quiz())
    room.respond('p1', 'quiz', wrong)
    expect(room.snapshot('p1').self.results).toEqual({
      quiz: { passed: false, attemptsLeft: 1, wrong: ['two'] },
    })
    expect(room.ready('p1')).toBe('ACTION_REFUSED')
    room.respond('p1', 'quiz', right)
    expect(room.heard('p1')).toContainEqual(
      expect.objectContaining({
        type: 'result',
        componentId: 'quiz',
        result: { passed: true, attemptsLeft: 0, wrong: [] },
      }),
    )
    expect(room.respond('p1', 'quiz', right)).toBe('ACTION_REFUSED')
    expect(room.recordsOf('p1', 'component_response').map(({ data }) => data.score)).toEqual([1, 2])
    expect(room.ready('p1')).toBeTypeOf('number')
  })

  it('[RM27] an attention check is scored by the server; expressions read whether it was passed, the page does not', () => {
    const check = { id: 'check', type: 'attention_check', options: ['never', 'rarely'], correct: 'rarely' }
    const next = [{ to: 'failed', when: '!response.check.passed' }, { to: 'after' }]
    const room = playRoom({
      states: [state('ask', { components: [check], next }), state('failed'), state('after')],
    })
    expect(JSON.stringify(room.snapshot('p1'))).not.toContain('correct')
    room.respond('p1', 'check', { answer: 'never' })
    expect(room.snapshot('p1').self).toMatchObject({ responses: { check: { answer: 'never' } }, results: {} })
    expect(JSON.stringify([room.emitted, room.snapshot('p1')])).not.toContain('passed')
    const [recorded] = room.recordsOf('p1', 'component_response')
    expect(recorded?.data).toMatchObject({ value: { answer: 'never', passed: false }, score: 0 })
    room.ready('p1')
    expect(room.at()).toBe('failed')
  })

  it('[RM27] the regions that marks are in are named by the server, for expressions and the record', () => {
    const regions = [{ value: 'bus', x: 40, y: 30, width: 40, height: 50 }]
    const street = { id: 'street', type: 'hot_spot', src: '/street.png', maxMarks: 2, regions }
    const next = [{ to: 'bus', when: "contains(response.street.regions, 'bus')" }, { to: 'after' }]
    const room = playRoom({
      states: [state('ask', { components: [street], next }), state('after'), state('bus')],
    })
    const marks = [
      { x: 10, y: 10 },
      { x: 50, y: 50 },
    ]
    expect(room.respond('p1', 'street', { marks, regions: ['bus', 'bus'] })).toBe('VALIDATION_FAILED')
    room.respond('p1', 'street', { marks })
    expect(room.snapshot('p1').self.responses).toEqual({ street: { marks } })
    const [recorded] = room.recordsOf('p1', 'component_response')
    expect(recorded?.data).toMatchObject({ value: { marks, regions: [null, 'bus'] } })
    room.ready('p1')
    expect(room.at()).toBe('bus')
  })

  it('[RM27] points that do not add up are refused, and nothing is stored', () => {
    const room = asking({ type: 'constant_sum', items: ['a', 'b'] })
    expect(room.respond('p1', 'x', { a: 50, b: 49 })).toBe('VALIDATION_FAILED')
    expect(room.snapshot('p1').self.responses).toEqual({})
    expect(room.respond('p1', 'x', { a: 50, b: 50 })).toBeTypeOf('number')
  })

  it('[RM27] after the last failed attempt the experiment continues, and the wrong answers are not revealed', () => {
    const room = asking(quiz())
    room.respond('p1', 'quiz', wrong)
    room.respond('p1', 'quiz', wrong)
    expect(room.snapshot('p1').self.results).toEqual({ quiz: { passed: false, attemptsLeft: 0 } })
    expect(room.respond('p1', 'quiz', right)).toBe('ACTION_REFUSED')
    room.ready('p1')
    expect(room.at()).toBe('after')
  })

  it('[RM27] a result is sent to its participant alone, and the key to nobody', () => {
    const room = playRoom(group([state('ask', { components: [quiz()] })]))
    room.respond('p1', 'quiz', wrong)
    expect(room.typesHeard('p2')).not.toContain('result')
    expect(JSON.stringify([room.emitted, room.snapshot('p1'), room.snapshot('p2')])).not.toContain(
      '"correct"',
    )
  })

  it('[RM133] a result that nobody could read goes along into the next state, and no further', () => {
    const end = { on: 'all_responded' as const }
    const room = playRoom(group([state('ask', { components: [quiz()], end }), state('next'), state('after')]))
    room.respond('p1', 'quiz', right)
    room.pass(60_000)
    room.respond('p2', 'quiz', right)
    const unread = { componentId: 'quiz', result: { passed: true, attemptsLeft: 1, wrong: [] } }
    expect(room.heard('p2').at(-1)).toMatchObject({ type: 'state_entered', unread })
    expect(room.snapshot('p2').self.unread).toEqual(unread)
    expect(room.heard('p1').at(-1)).not.toHaveProperty('unread')
    expect(room.snapshot('p1').self).not.toHaveProperty('unread')
    for (const who of ['p1', 'p2']) room.ready(who)
    expect(room.at()).toBe('after')
    expect(room.snapshot('p2').self).not.toHaveProperty('unread')
  })

  it('[RM133] after a button there is nothing to tell', () => {
    const room = asking(quiz())
    room.respond('p1', 'quiz', right)
    room.ready('p1')
    expect(room.snapshot('p1').self).not.toHaveProperty('unread')
  })

  it('[RM28] with onFail end, the last failed attempt screens out', () => {
    const room = asking(quiz({ onFail: 'end', maxAttempts: 1 }))
    room.respond('p1', 'quiz', wrong)
    expect(room.seat('p1')).toMatchObject({ status: 'finished', outcome: 'SCREENED_OUT' })
    expect(room.heard('p1')).toContainEqual(
      expect.objectContaining({ type: 'finished', outcome: 'SCREENED_OUT' }),
    )
    expect(room.room().status.kind).toBe('ended')
  })

  it('[RM28] in a group, the others continue without the participant who was screened out', () => {
    const components = [quiz({ onFail: 'end', maxAttempts: 1 })]
    const room = playRoom(group([state('ask', { components, end: { on: 'all_responded' } }), state('after')]))
    room.respond('p1', 'quiz', wrong)
    expect(room.heard('p2').at(-1)).toMatchObject({ type: 'seat', alias: 'P1', status: 'finished' })
    expect(room.snapshot('p2').others).toMatchObject([{ alias: 'P1', status: 'finished' }])
    expect(room.respond('p1', 'quiz', right)).toBe('ROOM_ENDED')
    room.respond('p2', 'quiz', right)
    expect(room.at('p2')).toBe('after')
    room.ready('p2')
    expect(room.outcomes()).toEqual(['SCREENED_OUT', 'SUCCESS'])
  })

  it('[RM29] declining consent ends with NO_CONSENT, at any time', () => {
    const room = asking({ id: 'agreement', type: 'consent', minReadMs: 10_000 })
    room.respond('p1', 'agreement', { agreed: false })
    expect(room.outcomes()).toEqual(['NO_CONSENT'])
    expect(room.snapshot('p1')).toMatchObject({
      status: 'ended',
      state: null,
      self: { outcome: 'NO_CONSENT' },
    })
  })

  it('[RM30] the server measures reading time, whatever the client says', () => {
    const room = asking(
      { id: 'agreement', type: 'consent', minReadMs: 10_000 },
      { end: { on: 'all_responded' } },
    )
    room.pass(9_999)
    expect(
      room.respond('p1', 'agreement', { agreed: true, readMs: 60_000 }, { clientTime: openedAt + 60_000 }),
    ).toBe('VALIDATION_FAILED')
    expect(room.recordsOf('p1', 'component_response')).toEqual([])
    room.pass(1)
    room.respond('p1', 'agreement', { agreed: true })
    expect(room.at()).toBe('after')
  })

  it('[RM30] requireScroll refuses to agree before the end of the text', () => {
    const room = asking({ id: 'agreement', type: 'consent', requireScroll: true })
    expect(room.respond('p1', 'agreement', { agreed: true })).toBe('VALIDATION_FAILED')
    expect(room.respond('p1', 'agreement', { agreed: true, scrolledToEnd: true })).toBeTypeOf('number')
  })

  it('[RM31] a response that does not fit, or to something that is not there, changes nothing', () => {
    const room = asking(slider)
    const before = JSON.stringify(room.room())
    expect(room.respond('p1', 'rate', 101)).toBe('VALIDATION_FAILED')
    expect(room.respond('p1', 'rate', '5')).toBe('VALIDATION_FAILED')
    expect(room.respond('p1', 'nothing', 5)).toBe('ACTION_REFUSED')
    expect(room.respond('p1', 'rate', 5, { stateId: 'after' })).toBe('ACTION_REFUSED')
    expect(room.respond('p9', 'rate', 5)).toBe('NOT_FOUND')
    expect(JSON.stringify(room.room())).toBe(before)
  })

  it('[RM31] a component that takes no response refuses one', () => {
    expect(asking({ id: 'hello', type: 'text' }).respond('p1', 'hello', 'hi')).toBe('VALIDATION_FAILED')
  })

  it('[RM31] an answer is given once; the second is refused and the first stays', () => {
    const room = asking(slider)
    room.respond('p1', 'rate', 5)
    expect(room.respond('p1', 'rate', 6)).toBe('ACTION_REFUSED')
    expect(room.snapshot('p1').self.responses).toEqual({ rate: 5 })
  })

  it('[RM31] others are told that somebody has answered, not what', () => {
    const room = playRoom(
      group([state('ask', { components: [component('rate', 'slider', { max: 100_000 })] })]),
    )
    room.respond('p1', 'rate', 73_519)
    expect(room.heard('p2')).toContainEqual(
      expect.objectContaining({ type: 'response_recorded', alias: 'P1', componentId: 'rate' }),
    )
    expect(JSON.stringify([room.heard('p2'), room.snapshot('p2')])).not.toContain('73519')
  })

  it('[RM31] the record has the value, the visit, both times and the action', () => {
    const room = asking(slider)
    room.pass(10)
    room.respond('p1', 'rate', 5, { actionId: 'mine', responseTime: 321, clientTime: 77 })
    expect(room.recordsOf('p1', 'component_response')).toEqual([
      {
        participantId: 'p1',
        type: 'component_response',
        round: null,
        visit: 1,
        stateId: 'ask',
        componentId: 'rate',
        timestamp: 77,
        moment: { clientTime: 77 },
        data: { value: 5, responseTime: 321, visit: 1, actionId: 'mine', answerSource: 'person' },
      },
    ])
  })

  it('[RM165] the record says what the page measured, and since when it can have been done', () => {
    const room = asking(slider)
    const clock = { offsetMs: -3_600_000, errorMs: 12 }
    const timing = { responseTime: 321, firstInteractionMs: 40, changes: 2 }
    room.respond('p1', 'rate', 5, { ...timing, clientTime: 77, clock, visit: 1 })
    const [answer] = room.recordsOf('p1', 'component_response')
    expect(answer?.data).toMatchObject(timing)
    expect(answer?.moment).toEqual({ clientTime: 77, seenAt: openedAt, reported: clock })
    expect(room.recordsOf('p1', 'state_transition')[0]?.moment).toBeUndefined()
  })

  it('[RM166] a response time that is longer than the state has lasted is kept and flagged', () => {
    const room = asking(slider)
    room.pass(5_000)
    room.respond('p1', 'rate', 5, { responseTime: 4_800 })
    const other = asking(slider)
    other.respond('p1', 'rate', 6, { responseTime: 90_000_000 })
    expect(room.recordsOf('p1', 'component_response')[0]?.flags).toBeUndefined()
    expect(other.recordsOf('p1', 'component_response')).toMatchObject([
      { flags: ['implausible_time'], data: { responseTime: 90_000_000 } },
    ])
  })

  it('[RM32] a stream is recorded batch by batch and announced to nobody', () => {
    const room = playRoom(
      group([state('watch', { components: [{ id: 'tension', type: 'continuous_rating' }] })]),
    )
    for (const t of [0, 250, 500]) room.respond('p1', 'tension', [{ t, value: 1 }])
    expect(room.recordsOf('p1', 'component_response')).toHaveLength(3)
    expect(room.typesHeard('p2')).not.toContain('response_recorded')
    room.ready('p1')
    expect(room.seat('p1').here.ready).toBe(true)
  })
})
