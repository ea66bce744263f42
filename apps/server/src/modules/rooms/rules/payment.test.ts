import type { ExperimentDefinition, Payment } from '@atrium/contract'
import { describe, expect, test } from 'vitest'
import { compileBlueprint } from '../model/blueprint.ts'
import { blankPerson } from '../model/forget-person.ts'
import { component, group, playRoom, slider, state } from '../test/played-room.ts'
import { reduceRoom } from './reduce-room.ts'

const rounds = 4
const own = { scope: 'participant' as const, initial: null }
const pick = { rounds: 2, of: 'earned', block: 'game' }

function study(payment: Payment, more: Partial<ExperimentDefinition> = {}): Partial<ExperimentDefinition> {
  const play = state('play', {
    components: [slider],
    end: { on: 'all_responded' },
    onEnter: { earned: 'null' },
    onEnd: { earned: 'response.rate' },
  })
  return group([state('practice'), play, state('feedback'), state('results')], {
    variables: { earned: own },
    blocks: [
      { id: 'try', states: ['practice'], rounds: 2 },
      { id: 'game', states: ['play', 'feedback'], rounds },
    ],
    completion: { payment },
    ...more,
  })
}

const payment: Payment = { currency: 'EUR', base: 1, rate: 0.1, pick }

function toTheRounds(given = study(payment), seed = 'seed') {
  const room = playRoom(given, { seed })
  for (let time = 0; time < 2; time++) for (const who of ['p1', 'p2']) room.ready(who)
  return room
}

/** In round n, the first participant earns 10 n and the second 10 n + 1. */
function playRound(room: ReturnType<typeof toTheRounds>, round: number): void {
  room.respond('p1', 'rate', 10 * round)
  room.respond('p2', 'rate', 10 * round + 1)
  for (const who of ['p1', 'p2']) room.ready(who)
}

function played(seed = 'seed', given = study(payment)) {
  const room = toTheRounds(given, seed)
  for (let round = 1; round <= rounds; round++) playRound(room, round)
  return room
}

type Room = ReturnType<typeof played>
const paymentOf = (room: Room, who: string) =>
  room.records.flatMap((one) => (one.participantId === who && one.type === 'payment' ? [one.data] : []))

describe('What is paid', () => {
  test('[RM200,R64] what a round was worth is kept when it ends, for each participant, and no earlier', () => {
    const room = toTheRounds()
    room.respond('p1', 'rate', 5)
    room.respond('p2', 'rate', 7)
    expect(room.seat('p1').roundValues).toBeUndefined()
    for (const who of ['p1', 'p2']) room.ready(who)
    expect(room.seat('p1').roundValues).toEqual([{ blockId: 'game', round: 1, value: 5 }])
    expect(room.seat('p2').roundValues).toEqual([{ blockId: 'game', round: 1, value: 7 }])
  })

  test('[RM200] the value is that of the end of the round, before anything of the next one is assigned', () => {
    expect(
      played()
        .seat('p1')
        .roundValues?.map(({ value }) => value),
    ).toEqual([10, 20, 30, 40])
  })

  test('[RM200] rounds without a number do not count, and without any number the amount is not known', () => {
    const all: Payment = { ...payment, pick: { rounds: 3, of: 'earned' } }
    const room = played('seed', study(all))
    expect(room.seat('p1').roundValues).toHaveLength(6)
    for (const who of ['p1', 'p2']) room.ready(who)
    const [paid] = paymentOf(room, 'p1')
    expect(paid?.picked).toHaveLength(3)
    expect(JSON.stringify(paid?.picked)).not.toContain('try')
    const never = study(
      { ...all, pick: { rounds: 1, of: 'never' } },
      { variables: { earned: own, never: own } },
    )
    const unknown = played('seed', never)
    for (const who of ['p1', 'p2']) unknown.ready(who)
    expect(paymentOf(unknown, 'p1')).toMatchObject([{ amount: null, points: null, picked: [] }])
  })

  test('[RM201,RM203,R64] the picked rounds and the amount are recorded once, when the part ends', () => {
    const room = played()
    expect(paymentOf(room, 'p1')).toEqual([])
    for (const who of ['p1', 'p2']) room.ready(who)
    for (const who of ['p1', 'p2']) {
      const [paid, ...more] = paymentOf(room, who)
      expect(more).toEqual([])
      const picked = paid?.picked as { round: number; value: number }[]
      expect(picked).toHaveLength(2)
      const extra = who === 'p1' ? 0 : 1
      for (const { round, value } of picked) expect(value).toBe(10 * round + extra)
      const points = picked.reduce((sum, { value }) => sum + value, 0)
      expect(paid).toMatchObject({ points, isPaid: true, base: 1, currency: 'EUR' })
      expect(paid?.amount).toBeCloseTo(1 + points / 10, 10)
    }
  })

  test('[RM201] the pick depends on the seed and the participant, and a replay of the log picks the same', () => {
    const picks = (seed: string) => {
      const room = played(seed)
      for (const who of ['p1', 'p2']) room.ready(who)
      return ['p1', 'p2'].map((who) => JSON.stringify(paymentOf(room, who)[0]?.picked))
    }
    expect(picks('one')).toEqual(picks('one'))
    const seeds = Array.from({ length: 20 }, (_, index) => picks(`seed ${index}`))
    expect(new Set(seeds.flat().map((text) => text.replace(/"value":\d+/g, ''))).size).toBeGreaterThan(4)
    expect(seeds.some(([one, other]) => one?.replace(/1/g, '') !== other?.replace(/1/g, ''))).toBe(true)

    const room = played()
    const blueprint = compileBlueprint({ name: 'Test', ...study(payment) } as ExperimentDefinition)
    const [first] = room.steps
    let replayed = first?.before
    for (const { action, at } of room.steps) {
      // As after a take-over: read from a snapshot.
      const from = replayed && JSON.parse(JSON.stringify(replayed))
      const reduction = reduceRoom(from, action, at, blueprint)
      if (reduction.kind !== 'applied') throw new Error(reduction.kind)
      replayed = reduction.room
    }
    expect(replayed).toEqual(room.room())
  })

  test('[RM201] whoever leaves early is paid of the rounds that had ended, if their outcome is paid', () => {
    const outcomes = ['SUCCESS', 'ABANDONED']
    const room = toTheRounds(study({ ...payment, outcomes }))
    playRound(room, 1)
    room.respond('p1', 'rate', 90)
    room.leave('p1')
    expect(paymentOf(room, 'p1')).toMatchObject([
      { picked: [{ blockId: 'game', round: 1, value: 10 }], points: 10, amount: 2 },
    ])
    const unpaid = toTheRounds()
    playRound(unpaid, 1)
    unpaid.leave('p1')
    expect(paymentOf(unpaid, 'p1')).toMatchObject([{ isPaid: false, amount: 0 }])
    const nothing = toTheRounds(study({ ...payment, outcomes }))
    nothing.leave('p1')
    expect(paymentOf(nothing, 'p1')).toMatchObject([{ picked: [], points: 0, amount: 1 }])
  })

  test('[RM203] a variable is paid as before, and a study without payment records none', () => {
    const variable = played('seed', study({ currency: 'JPY', base: 100, bonus: 'earned', rate: 0.5 }))
    for (const who of ['p1', 'p2']) variable.ready(who)
    expect(variable.seat('p1').roundValues).toBeUndefined()
    expect(paymentOf(variable, 'p2')).toEqual([
      {
        isPaid: true,
        base: 100,
        bonus: 21,
        amount: 121,
        amountUnrounded: 120.5,
        currency: 'JPY',
        points: 41,
      },
    ])
    const free = played('seed', study(payment, { completion: {} }))
    for (const who of ['p1', 'p2']) free.ready(who)
    expect(paymentOf(free, 'p1')).toEqual([])
  })

  test('[RM200,R48] nothing that a deleted participant earned stays in the room', () => {
    const room = played()
    const blueprint = compileBlueprint({ name: 'Test', ...study(payment) } as ExperimentDefinition)
    const { seats } = blankPerson(room.room(), { participantId: 'p1', erasedId: 'erased_1' }, blueprint)
    expect(seats[0]?.roundValues).toBeUndefined()
    expect(seats[1]?.roundValues).toHaveLength(rounds)
  })

  test('[RM202,R64] a text shows the picked rounds and the amount once the last round is over, and nothing before', () => {
    const shown = 'Rounds {{payment.rounds}}: {{payment.amount | EUR}} of {{payment.bonus}}'
    const given = study(payment)
    const text = component('note', 'text', { text: shown })
    const states = given.states?.map((one) => ({ ...one, components: [...one.components, text] })) ?? []
    const room = toTheRounds({ ...given, states })
    const read = (who: string) => {
      const note = room.snapshot(who).state?.components.find(({ id }) => id === 'note')
      return JSON.stringify(note).replaceAll('\\', '')
    }
    const shows = (text: string) => expect.stringContaining(text)
    for (let round = 1; round <= rounds; round++) {
      expect([read('p1'), read('p2')]).toEqual([shows('Rounds –: – of –'), shows('Rounds –: – of –')])
      playRound(room, round)
    }
    const [before, other] = [read('p1'), read('p2')]
    for (const who of ['p1', 'p2']) room.ready(who)
    const [{ picked = [], amount, bonus } = {}] = paymentOf(room, 'p1')
    const [one, two] = (picked as { round: number }[]).map(({ round }) => round)
    const money = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(Number(amount))
    expect(before).toContain(`Rounds ${one} and ${two}: ${money} of ${bonus}`)
    expect(other).not.toBe(before)
  })

  test('[RM202] a text follows the variable that is paid', () => {
    const note = component('note', 'text', { text: 'So far {{payment.amount}}' })
    const states = [state('play', { components: [{ ...slider, saveTo: 'earned' }, note] })]
    const given = group(states, {
      variables: { earned: own },
      completion: { payment: { currency: 'EUR', bonus: 'earned', rate: 0.5 } },
    })
    const room = playRoom(given)
    room.respond('p1', 'rate', 7)
    expect(room.heard('p1').filter(({ type }) => type === 'texts')).toHaveLength(1)
    expect(JSON.stringify(room.snapshot('p1').state)).toContain(String.raw`So far 3\\.5`)
    expect(JSON.stringify(room.snapshot('p2').state)).toContain('So far –')
  })
})
