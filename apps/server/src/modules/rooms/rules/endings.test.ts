import type { State } from '@atrium/contract'
import { describe, expect, it } from 'vitest'
import { component, group, openedAt, playRoom, slider, state } from '../test/played-room.ts'

const video = { id: 'film', type: 'video', src: '/film.mp4' }
const two = (end: State['end'], components: State['components'] = []) =>
  playRoom(group([state('first', { components, ...(end ? { end } : {}) }), state('second')]))

const ended = { ended: true }

describe('How a state ends', () => {
  it('[RM6] button: when everyone has pressed it', () => {
    const room = two(undefined)
    room.ready('p1')
    expect(room.at()).toBe('first')
    expect(room.snapshot('p2').others).toMatchObject([{ ready: true }])
    room.ready('p2')
    expect(room.at()).toBe('second')
    expect(room.seat('p1').here.ready).toBe(false)
  })

  it('[RM6] button: not before what is required has been answered', () => {
    const room = two({ on: 'button' }, [slider, { id: 'note', type: 'text_input', required: false }])
    expect(room.ready('p1')).toBe('ACTION_REFUSED')
    room.respond('p1', 'rate', 1)
    expect(room.ready('p1')).toBeTypeOf('number')
  })

  it('[RM6] button: refused in a state that ends otherwise, or that is over', () => {
    const room = two({ on: 'timed', afterMs: 10 })
    expect(room.ready('p1')).toBe('ACTION_REFUSED')
    room.pass(10)
    expect(room.ready('p1', { stateId: 'first' })).toBe('ACTION_REFUSED')
    expect(room.ready('p1', { stateId: 'second' })).toBeTypeOf('number')
  })

  it('[RM7] timed: at its deadline, not before, whatever has been answered', () => {
    const room = two({ on: 'timed', afterMs: 1_000 }, [slider])
    expect(room.snapshot('p1').state).toMatchObject({ deadlineAt: openedAt + 1_000, endsOn: 'timed' })
    room.respond('p1', 'rate', 1)
    room.respond('p2', 'rate', 1)
    room.pass(999)
    expect(room.at()).toBe('first')
    room.pass(1)
    expect(room.at()).toBe('second')
  })

  it('[RM8] all_responded: when everyone has answered all that is required', () => {
    const room = two({ on: 'all_responded' }, [
      slider,
      component('mood', 'likert', { points: 5 }),
      { id: 'note', type: 'text_input', required: false },
    ])
    for (const who of ['p1', 'p2']) room.respond(who, 'rate', 1)
    room.respond('p1', 'mood', 3)
    expect(room.at()).toBe('first')
    room.respond('p2', 'mood', 3)
    expect(room.at()).toBe('second')
  })

  it('[RM8] all_responded: a failed check with attempts left is no answer yet', () => {
    const questions = [{ id: 'q', options: ['yes', 'no'], correct: 'yes' }]
    const room = two({ on: 'all_responded' }, [component('quiz', 'instructions', { questions })])
    room.respond('p1', 'quiz', { answers: { q: 'yes' } })
    room.respond('p2', 'quiz', { answers: { q: 'no' } })
    expect(room.at()).toBe('first')
    room.respond('p2', 'quiz', { answers: { q: 'yes' } })
    expect(room.at()).toBe('second')
  })

  it('[RM8] all_responded: one batch of a required stream is an answer', () => {
    const stream = { id: 'tension', type: 'continuous_rating', required: true }
    const room = two({ on: 'all_responded' }, [stream])
    room.respond('p1', 'tension', [{ t: 0, value: 5 }])
    expect(room.at()).toBe('first')
    room.respond('p2', 'tension', [{ t: 0, value: 5 }])
    expect(room.at()).toBe('second')
  })

  it('[RM8] all_responded: a component may have a name that every object inherits', () => {
    const stream = { id: 'constructor', type: 'continuous_rating', required: true }
    const counting = { on: 'condition' as const, when: 'count(responses.constructor) > 0' }
    for (const room of [two({ on: 'all_responded' }, [stream]), two(counting, [stream])]) {
      expect(room.at()).toBe('first')
      for (const person of ['p1', 'p2']) room.respond(person, 'constructor', [{ t: 0, value: 5 }])
      expect(room.at()).toBe('second')
    }
    const elsewhere = playRoom(
      group([state('first', { end: counting }), state('second', { components: [stream] })]),
    )
    expect(elsewhere.at()).toBe('first')
  })

  it('[RM9] any_responded: when the first one has answered all that is required', () => {
    const room = two({ on: 'any_responded' }, [slider, component('mood', 'likert', { points: 5 })])
    room.respond('p1', 'rate', 1)
    room.respond('p2', 'mood', 1)
    expect(room.at()).toBe('first')
    room.respond('p2', 'rate', 1)
    expect(room.at()).toBe('second')
  })

  it('[RM10] media_ended: when it has ended for everyone who sees it', () => {
    const room = two({ on: 'media_ended', componentId: 'film' }, [video, slider])
    room.respond('p1', 'rate', 1)
    room.respond('p2', 'rate', 1)
    room.respond('p1', 'film', ended)
    expect(room.at()).toBe('first')
    expect(room.respond('p2', 'film', { ended: false })).toBe('VALIDATION_FAILED')
    room.respond('p2', 'film', ended)
    expect(room.at()).toBe('second')
  })

  it('[RM10] media_ended: a role that does not see the video is not awaited', () => {
    const components = [{ ...video, roles: ['viewer'] }]
    const states = [
      state('first', { components, end: { on: 'media_ended', componentId: 'film' } }),
      state('second'),
    ]
    const room = playRoom(group(states, { roles: ['viewer', 'reader'] }), { roles: ['viewer', 'reader'] })
    expect(room.respond('p2', 'film', ended)).toBe('ACTION_REFUSED')
    room.respond('p1', 'film', ended)
    expect(room.at()).toBe('second')
  })

  it('[RM11] condition: as soon as it holds, whatever the cause', () => {
    const room = two({ on: 'condition', when: 'sum(responses.rate) >= 50', afterMs: 1_000 }, [slider])
    room.respond('p1', 'rate', 49)
    expect(room.at()).toBe('first')
    room.respond('p2', 'rate', 1)
    expect(room.at()).toBe('second')
  })

  it('[RM11] condition: one that holds from the start ends the state at once', () => {
    const room = two({ on: 'condition', when: 'visit == 1', afterMs: 1_000 })
    expect(room.path()).toEqual(['first', 'second'])
  })

  it.each<NonNullable<State['end']>>([
    { on: 'button' },
    { on: 'all_responded' },
    { on: 'any_responded' },
    { on: 'media_ended', componentId: 'film' },
    { on: 'condition', when: 'count(responses.rate) == 2' },
  ])('[RM12] $on with afterMs ends at the latest then; without it never by the clock', (end) => {
    const late = two({ ...end, afterMs: 5_000 }, [video, slider])
    expect(late.due()).toBe(openedAt + 5_000)
    late.pass(4_999)
    expect(late.at()).toBe('first')
    late.pass(1)
    expect(late.at()).toBe('second')

    const patient = two(end, [video, slider])
    expect(patient.snapshot('p1').state?.deadlineAt).toBeNull()
    patient.pass(10 * 3_600_000)
    expect(patient.at()).toBe('first')
  })

  it('[RM12] an action that comes after an unnoticed deadline finds the state over', () => {
    const room = two({ on: 'all_responded', afterMs: 1_000 }, [slider])
    room.passUnnoticed(1_001)
    room.respond('p1', 'rate', 1)
    expect(room.at()).toBe('second')
  })

  it('[RM12] a deadline counts from the entry of each state', () => {
    const end = { on: 'timed' as const, afterMs: 1_000 }
    const room = playRoom({ states: [state('a', { end }), state('b', { end })] })
    room.pass(1_000)
    expect(room.snapshot('p1').state).toMatchObject({
      id: 'b',
      enteredAt: openedAt + 1_000,
      deadlineAt: openedAt + 2_000,
    })
    room.pass(1_000)
    expect(room.outcomes()).toEqual(['SUCCESS'])
  })
})
