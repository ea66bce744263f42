import type { ExperimentDefinition, State } from '@atrium/contract'
import { describe, expect, test } from 'vitest'
import { playAgain } from '../test/play-again.ts'
import { component, group, openedAt, playRoom, slider, state } from '../test/played-room.ts'

type Block = NonNullable<ExperimentDefinition['blocks']>[number]
type Room = ReturnType<typeof playRoom>

/** A game of two rounds: two tries, then the sum of the round. */
const blocksOf = (outer: Partial<Block>, inner: Partial<Block>): Block[] => [
  { id: 'game', states: ['tries', 'sum'], rounds: 2, ...outer },
  { id: 'tries', states: ['try'], rounds: 2, ...inner },
]

const alone = (
  outer: Partial<Block>,
  inner: Partial<Block> = {},
  { more = {}, trying = {} }: { more?: Partial<ExperimentDefinition>; trying?: Partial<State> } = {},
) =>
  group([state('before'), state('try', trying), state('sum'), state('after')], {
    matching: { groupSize: 1 },
    blocks: blocksOf(outer, inner),
    ...more,
  })

function played(definition: Partial<ExperimentDefinition>): Room {
  const room = playRoom(definition)
  while (room.at() !== null) for (const { participantId } of room.room().seats) room.ready(participantId)
  expect(playAgain(room)).toEqual(room.room())
  return room
}

const round = ['try', 'try', 'sum']

describe('conditions of blocks in each other', () => {
  test('[RM231,F184] `round` in that of an inner block is the coming round of the outer one', () => {
    const inSecond = { when: 'round == 2' }
    expect(played(alone({}, inSecond)).path()).toEqual(['before', 'sum', ...round, 'after'])
    expect(played(alone({ states: ['sum', 'tries'] }, inSecond)).path()).toEqual([
      'before',
      'sum',
      'sum',
      'try',
      'try',
      'after',
    ])
    expect(played(alone({}, { when: 'round == 1' })).path()).toEqual(['before', ...round, 'sum', 'after'])
  })

  test('[F110,F184] in that of an outermost block, it is the round of the state that is left', () => {
    expect(played(alone({ when: 'round == 1' })).path()).toEqual(['before', 'after'])
    expect(played(alone({ when: 'round == null' })).path()).toEqual(['before', ...round, ...round, 'after'])
  })
})

describe('rules that end blocks in each other', () => {
  test('[RM243,F183] one of the inner block ends it in this round of the outer one', () => {
    const path = played(alone({}, { until: 'visit == 2 || visit == 4' })).path()
    expect(path).toEqual(['before', 'try', 'sum', 'try', 'sum', 'after'])
    expect(played(alone({}, { until: 'visit == 2' })).path()).toEqual([
      'before',
      'try',
      'sum',
      ...round,
      'after',
    ])
  })

  test('[RM243,F183] one of the outer block ends it after its round, and not after one of the inner block', () => {
    expect(played(alone({ until: 'true' })).path()).toEqual(['before', ...round, 'after'])
  })

  test('[RM243,F183] `round` is that of the block which the rule would end, also where the inner block comes last', () => {
    const last = { states: ['sum', 'tries'], rounds: 4, until: 'round == 2' }
    const path = played(alone(last, { until: 'round == 1' })).path()
    expect(path).toEqual(['before', 'sum', 'try', 'sum', 'try', 'after'])
  })

  test('[RM211,RM243] one that ends the trials of an inner block leaves the outer one to its own', () => {
    const tables = { words: { rows: [{ word: 'a' }, { word: 'b' }, { word: 'c' }] } }
    const trials = { table: 'words', until: 'trial.index == 2' }
    const last = { states: ['sum', 'tries'], rounds: 3, until: 'round == 2' }
    const path = played(alone(last, { rounds: 1, trials }, { more: { tables } })).path()
    expect(path).toEqual(['before', 'sum', 'try', 'try', 'sum', 'try', 'try', 'after'])
  })

  test('[RM200,RM243] those of the outer block decide which rounds can be paid', () => {
    const payment = { currency: 'EUR', pick: { rounds: 2, of: 'earned' } }
    const room = played(
      alone(
        { rounds: 4, until: 'round == 2' },
        { until: 'true' },
        {
          more: {
            completion: { payment },
            variables: { earned: { scope: 'participant', initial: 0 } },
          },
          trying: { onEnd: { earned: 'earned + 1' } },
        },
      ),
    )
    const paid = room.records.find(({ type }) => type === 'payment')?.data
    expect(paid).toMatchObject({ amount: 3, picked: [{ round: 1 }, { round: 2 }] })
  })
})

describe('time limits of blocks in each other', () => {
  const outer = { timeLimit: { afterMs: 10_000 } }
  const inner = { timeLimit: { afterMs: 4_000 } }
  const begun = (definition: Partial<ExperimentDefinition>): Room => {
    const room = playRoom(definition)
    room.ready('p1')
    return room
  }

  test('[RM218,F183] that of the outer block counts over everything in it, and leads to what follows it', () => {
    const room = begun(alone(outer))
    expect(room.snapshot('p1').state?.deadlineAt).toBe(openedAt + 10_000)
    room.pass(6_000)
    room.ready('p1')
    expect(room.snapshot('p1').state).toMatchObject({ id: 'try', deadlineAt: openedAt + 10_000 })
    room.pass(4_000)
    expect(room.path()).toEqual(['before', 'try', 'try', 'after'])
    expect(room.recordsOf('p1', 'time_limit_reached').map(({ data }) => data.block)).toEqual(['game'])
    expect(playAgain(room)).toEqual(room.room())
  })

  test('[RM218,RM219] the nearest one decides, and one of the inner block leads on within the outer one', () => {
    const room = begun(alone(outer, inner))
    expect(room.snapshot('p1').state?.deadlineAt).toBe(openedAt + 4_000)
    room.pass(4_000)
    expect(room.snapshot('p1').state).toMatchObject({ id: 'sum', deadlineAt: openedAt + 10_000 })
    room.pass(4_000)
    room.ready('p1')
    // A new round of the game gives the tries a new time, which the game ends before.
    expect(room.snapshot('p1').state).toMatchObject({ id: 'try', deadlineAt: openedAt + 10_000 })
    room.pass(2_000)
    expect(room.at()).toBe('after')
    const reached = room.recordsOf('p1', 'time_limit_reached').map(({ data }) => data.block)
    expect(reached).toEqual(['tries', 'game'])
    expect(playAgain(room)).toEqual(room.room())
  })

  test('[RM219] one of the inner block can lead past the outer one, which has no limit then', () => {
    const room = begun(alone(outer, { timeLimit: { afterMs: 4_000, onTimeout: { to: 'after' } } }))
    room.pass(4_000)
    expect(room.snapshot('p1').state).toMatchObject({ id: 'after', deadlineAt: null })
  })

  test('[RM218] counts the inner one again in each round, hides its own, and moves all by the length of a pause', () => {
    const room = begun(alone(outer, { timeLimit: { afterMs: 4_000, show: false } }))
    expect(room.snapshot('p1').state?.hidesDeadline).toBe(true)
    room.dispatch({ type: 'pause', reason: '', by: 'r' })
    room.pass(60_000)
    room.dispatch({ type: 'resume', by: 'r' })
    room.pass(3_000)
    room.ready('p1')
    expect(room.snapshot('p1').state?.deadlineAt).toBe(openedAt + 64_000)
    room.ready('p1')
    expect(room.snapshot('p1').state).toMatchObject({ id: 'sum', deadlineAt: openedAt + 70_000 })
    expect(room.snapshot('p1').state?.hidesDeadline).toBeUndefined()
    room.ready('p1')
    expect(room.snapshot('p1').state?.deadlineAt).toBe(openedAt + 67_000)
  })

  test('[RM219] the limit of the study comes before all of them', () => {
    const more = { timeLimit: { afterMs: 4_000, onTimeout: { outcome: 'SLOW' } } }
    const room = begun(alone(outer, inner, { more }))
    room.pass(4_000)
    expect(room.outcomes()).toEqual(['SLOW'])
  })
})

describe('blocks in each other that participants skip by themselves', () => {
  const answering = (id: string, more: Partial<State> = {}) =>
    state(id, { components: [slider], end: { on: 'all_responded' }, ...more })
  const each = (when: string) => ({ when, per: 'participant' as const })
  const answers = component('plays', 'text_input', { required: true })
  const asked = state('ask', { components: [answers], end: { on: 'all_responded' } })
  const study = (outer: Partial<Block>, inner: Partial<Block>, more: Partial<ExperimentDefinition> = {}) =>
    group([asked, answering('try'), answering('sum'), state('after')], {
      blocks: blocksOf(outer, inner),
      ...more,
    })
  const begun = (definition: Partial<ExperimentDefinition>, plays: string[]): Room => {
    const room = playRoom(definition)
    plays.forEach((answer, index) => {
      room.respond(`p${index + 1}`, 'plays', answer)
    })
    return room
  }
  const places = (room: Room) =>
    room.room().seats.map(({ participantId }) => {
      const { state: at } = room.snapshot(participantId)
      return at?.isWaiting ? `${at.id} (waits)` : at?.id
    })
  const skippedBy = (room: Room, who: string) =>
    room.recordsOf(who, 'block_skipped').map(({ data }) => data.block)

  test('[RM221,RM231] whoever skips the outer one waits through everything in it, without being asked again', () => {
    const room = begun(study(each("response.plays == 'yes'"), each('true')), ['yes', 'no'])
    for (const id of [...round, ...round]) {
      expect(places(room)).toEqual([id, `${id} (waits)`])
      expect(room.respond('p2', 'rate', 1)).toBe('ACTION_REFUSED')
      room.respond('p1', 'rate', 1)
    }
    expect(places(room)).toEqual(['after', 'after'])
    expect([skippedBy(room, 'p1'), skippedBy(room, 'p2')]).toEqual([[], ['game']])
    expect(playAgain(room)).toEqual(room.room())
  })

  test('[RM221,RM231] whoever skips the inner one is back in the outer one, and asked again in its next round', () => {
    const room = begun(study({}, each("visit > 2 || response.plays == 'yes'")), ['yes', 'no'])
    for (const _ of [1, 2]) {
      expect(places(room)).toEqual(['try', 'try (waits)'])
      room.respond('p1', 'rate', 1)
    }
    expect(places(room)).toEqual(['sum', 'sum'])
    for (const who of ['p1', 'p2']) room.respond(who, 'rate', 1)
    expect(places(room)).toEqual(['try', 'try'])
    expect(skippedBy(room, 'p2')).toEqual(['tries'])
  })

  test('[RM221,RM231] rounds with nothing but the inner block ask for it each time', () => {
    const inner = each("visit == 2 || response.plays == 'yes'")
    const room = begun(
      study({ states: ['tries'] }, inner, { states: [asked, answering('try'), state('after')] }),
      ['yes', 'no'],
    )
    expect(places(room)).toEqual(['try', 'try (waits)'])
    for (const _ of [1, 2]) room.respond('p1', 'rate', 1)
    expect(places(room)).toEqual(['try', 'try (waits)'])
    expect(skippedBy(room, 'p2')).toEqual(['tries', 'tries'])
  })

  test('[RM221,RM231] a condition of the room inside is asked for those who play, and recorded for them', () => {
    const outer = each("response.plays == 'yes'")
    const room = begun(study(outer, { when: 'visit > 1' }), ['yes', 'no'])
    expect(places(room)).toEqual(['sum', 'sum (waits)'])
    expect([skippedBy(room, 'p1'), skippedBy(room, 'p2')]).toEqual([['tries'], ['game']])
  })

  test('[RM221,RM231] one that nobody who plays the outer one wants is passed by, while the others still wait', () => {
    const three = { matching: { groupSize: 3 } }
    const inner = each("response.plays == 'both'")
    const room = begun(study(each("response.plays != 'none'"), inner, three), ['outer', 'none', 'outer'])
    expect(places(room)).toEqual(['sum', 'sum (waits)', 'sum'])
    expect(skippedBy(room, 'p2')).toEqual(['game'])
    const some = begun(study(each("response.plays != 'none'"), inner, three), ['both', 'none', 'outer'])
    expect(places(some)).toEqual(['try', 'try (waits)', 'try (waits)'])
    some.respond('p1', 'rate', 1)
    some.respond('p1', 'rate', 1)
    expect(places(some)).toEqual(['sum', 'sum (waits)', 'sum'])
  })

  test('[RM200,RM221] skipping the inner one keeps the rounds of the outer one, and skipping what follows keeps the last', () => {
    const payment = { currency: 'EUR', pick: { rounds: 1, of: 'earned' } } as const
    const no = each("response.plays == 'yes'")
    const definition = study({ states: ['sum', 'tries'] }, no, {
      states: [
        asked,
        answering('try', { onEnd: { earned: 'earned + 5' } }),
        answering('sum', { onEnd: { earned: 'earned + 1' } }),
        answering('extra'),
        state('after'),
      ],
      variables: { earned: { scope: 'participant', initial: 0 } },
      completion: { payment },
    })
    definition.blocks?.push({ id: 'more', states: ['extra'], ...no })
    const room = begun(definition, ['yes', 'no'])
    for (const _ of [1, 2]) {
      for (const who of ['p1', 'p2']) room.respond(who, 'rate', 1)
      for (const __ of [1, 2]) room.respond('p1', 'rate', 1)
    }
    expect(places(room)).toEqual(['extra', 'extra (waits)'])
    const values = (who: string) => room.seat(who).roundValues?.map(({ value }) => value)
    expect([values('p1'), values('p2')]).toEqual([
      [11, 22],
      [1, 2],
    ])
  })

  test('[RM221,RM219] whoever skips is back with the others when a time limit of the outer block ends it', () => {
    const timed = { timeLimit: { afterMs: 5_000 } }
    const room = begun(study(timed, each("response.plays == 'yes'")), ['yes', 'no'])
    room.pass(5_000)
    expect(places(room)).toEqual(['after', 'after'])
    expect(room.room().seats.some(({ skips }) => skips !== undefined)).toBe(false)
  })
})

describe('roles that rotate in blocks in each other', () => {
  const pair = (outer: Partial<Block>, inner: Partial<Block>) =>
    group([state('before'), state('try'), state('sum'), state('after')], {
      roles: ['giver', 'taker'],
      blocks: blocksOf(outer, inner),
    })
  const rolesOnTheWay = (definition: Partial<ExperimentDefinition>) => {
    const room = playRoom(definition, { roles: ['giver', 'taker'] })
    const way: string[] = []
    while (room.at() !== null) {
      way.push(`${room.at()} ${room.seat('p1').role}`)
      for (const who of ['p1', 'p2']) room.ready(who)
    }
    expect(playAgain(room)).toEqual(room.room())
    return way
  }

  test('[RM215,F183] the round of the outer block counts, also within the inner one', () => {
    expect(rolesOnTheWay(pair({ rotateRoles: true }, {}))).toEqual([
      'before giver',
      ...round.map((id) => `${id} giver`),
      ...round.map((id) => `${id} taker`),
      'after giver',
    ])
  })

  test('[RM215,F183] the round of the inner block counts only within it, and begins again in each of the outer one', () => {
    const again = ['try giver', 'try taker', 'sum giver']
    expect(rolesOnTheWay(pair({}, { rotateRoles: true }))).toEqual([
      'before giver',
      ...again,
      ...again,
      'after giver',
    ])
  })
})
