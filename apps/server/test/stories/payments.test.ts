import {
  type ExperimentDefinition,
  type ExportedRow,
  experimentRoutes,
  type Payment,
  prolificRoutes,
  roundMoney,
} from '@atrium/contract'
import { describeInOneMode, openRoomSocket, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf } from './cast.ts'
import { refusalOf } from './refusal.ts'

const rounds = 3
const give = { id: 'give', type: 'slider', min: 0, max: 100, step: 0.001, required: true, saveTo: 'earned' }
const note = { id: 'note', type: 'text', text: 'You get {{payment.amount | 0.000}}.' }

const game = (payment: Payment): Partial<ExperimentDefinition> => ({
  variables: { earned: { scope: 'participant', initial: null } },
  states: [
    { id: 'play', components: [give], end: { on: 'all_responded' } },
    {
      id: 'results',
      components: [note],
    },
  ],
  blocks: [{ id: 'game', states: ['play'], rounds }],
  completion: { codes: { SUCCESS: 'C' }, payment },
  recruiting: { prolific: {} },
})

type Row<Table extends 'payments' | 'participants'> = ExportedRow<Table>

describeInOneMode('payments', (world) => {
  const cast = castOf(world)

  async function tableOf<Table extends 'payments' | 'participants'>(
    experimentId: string,
    table: Table,
  ): Promise<Row<Table>[]> {
    const { token } = await cast.researcher()
    const query = { table }
    const { text } = await cast.api.call(experimentRoutes.export, { token, params: { experimentId }, query })
    const lines = text.split('\n').filter(Boolean)
    return lines.map((line) => JSON.parse(line))
  }

  /** Plays the values, one in each round, and completes. */
  async function play(experimentId: string, id: string, values: readonly number[]) {
    const { session, token } = await cast.participant(experimentId, { PROLIFIC_PID: id })
    const socket = await openRoomSocket(world().any().http, { ...session, roomId: session.roomId })
    for (const value of values)
      expect(await socket.act('submit_response', { componentId: 'give', value })).toMatchObject({ ok: true })
    expect(await socket.act('ready', {})).toMatchObject({ ok: true })
    socket.close()
    const { data } = succeeded(await cast.complete(session))
    expect(succeeded(await cast.complete(session)).data).toEqual(data)
    const refusal = refusalOf(await cast.join(token, { experimentId }))
    expect(refusal.details?.payment).toEqual(data.payment)
    return data
  }

  test.each<Payment>([
    { currency: 'EUR', base: 2, rate: 0.15, pick: { rounds: 1, of: 'earned' }, showAmount: true },
    { currency: 'JPY', rate: 12.5, rounding: 'up', pick: { rounds: 2, of: 'earned' }, showAmount: true },
    { currency: 'KWD', base: 1, rate: 0.0333, max: 3, pick: { rounds: 2, of: 'earned' }, showAmount: true },
  ])(
    '[RM204,R64] $currency: the same amount is on the last page, in both tables and in the bonus file',
    async (payment) => {
      const experimentId = await cast.open(game(payment))
      const values = [10.5, 20.25, 41.001]
      const completed = await play(experimentId, 'ann', values)
      const [row] = await tableOf(experimentId, 'payments')
      const [person] = await tableOf(experimentId, 'participants')
      const picked = (row?.pickedRounds ?? []) as number[]
      expect(picked).toHaveLength(payment.pick?.rounds ?? 0)
      const worth = picked.map((round) => values[round - 1] ?? Number.NaN)
      expect(row?.pickedValues).toEqual(worth)
      const unrounded = (payment.base ?? 0) + (payment.rate ?? 1) * worth.reduce((sum, value) => sum + value)
      expect(row?.amountUnrounded).toBeCloseTo(Math.min(unrounded, payment.max ?? Infinity), 9)
      expect(row?.amount).toBe(
        roundMoney(row?.amountUnrounded ?? Number.NaN, payment.currency, payment.rounding),
      )
      const { amount, bonus } = row ?? {}
      expect(completed.payment).toEqual({ amount, currency: payment.currency, rounds: picked })
      expect(person).toMatchObject({ paymentAmount: amount, paymentCurrency: payment.currency })
      const { token } = await cast.researcher()
      const file = await cast.api.call(prolificRoutes.bonusFile, { token, params: { experimentId } })
      expect(Number(file.text.trim().split(',')[1])).toBe(bonus)
    },
  )

  test('[RM204] the last page tells the amount where the study says so, also to somebody who comes back', async () => {
    const told = { currency: 'EUR', bonus: 'earned', showAmount: true }
    const first = await cast.open(game({ ...told, showAmount: false }))
    expect((await play(first, 'ben', [1, 2, 3])).payment).toBeUndefined()
    const second = await cast.open(game(told))
    expect((await play(second, 'cy', [1, 2, 3])).payment).toEqual({ amount: 3, currency: 'EUR' })
  })
})
