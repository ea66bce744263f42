import {
  type ExperimentDefinition,
  type ExportedRow,
  experimentRoutes,
  prolificRoutes,
} from '@atrium/contract'
import { describeInOneMode, openRoomSocket, smallestDefinition, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf } from './cast.ts'
import { refusalOf } from './refusal.ts'

const amount = {
  id: 'amount',
  type: 'slider',
  min: 0,
  max: 20,
  step: 0.001,
  required: true,
  saveTo: 'earned',
}
const game: Partial<ExperimentDefinition> = {
  variables: { earned: { scope: 'participant', initial: 0 } },
  states: [
    {
      id: 'play',
      components: [amount],
    },
  ],
  completion: { codes: { SUCCESS: 'C' }, payment: { currency: 'GBP', bonus: 'earned' } },
  recruiting: { prolific: {} },
}

describeInOneMode('the bonus file', (world) => {
  const cast = castOf(world)
  const read = async (experimentId: string, token: string) =>
    cast.api.call(prolificRoutes.bonusFile, { token, params: { experimentId } })

  async function paymentsOf(experimentId: string, token: string): Promise<ExportedRow<'payments'>[]> {
    const query = { table: 'payments' }
    const { text } = await cast.api.call(experimentRoutes.export, { token, params: { experimentId }, query })
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  }

  async function play(experimentId: string, id: string, earned: number, events: object[] = []) {
    const { session } = await cast.participant(experimentId, {
      PROLIFIC_PID: id,
      source: 'prolific',
      externalId: id,
    })
    if (events.length > 0) succeeded(await cast.send(session, events))
    const socket = await openRoomSocket(world().any().http, { ...session, roomId: session.roomId })
    const answer = await socket.act('submit_response', { componentId: 'amount', value: earned })
    expect(answer).toMatchObject({ ok: true })
    expect(await socket.act('ready', {})).toMatchObject({ ok: true })
    socket.close()
    succeeded(await cast.complete(session))
  }

  test('[RC9,R64] one line for each person who is paid, with the bonus that the table of payments has', async () => {
    const experimentId = await cast.open(game)
    const forged = { type: 'payoff', timestamp: 1, data: { variable: 'earned', value: 1_000 } }
    await play(experimentId, 'ann', 1.256, [forged])
    await play(experimentId, 'ben', 0)
    await play(experimentId, 'eve,1\neve', 3)
    await play(experimentId, 'cy', 12)
    await cast.participant(experimentId, { PROLIFIC_PID: 'dora' })
    const { token } = await cast.researcher()
    const file = await read(experimentId, token)
    expect(file.text).toBe('ann,1.26\ncy,12.00\n')
    expect(file.headers.get('content-type')).toContain('text/csv')
    const rows = await paymentsOf(experimentId, token)
    expect(rows.map(({ bonus, amount, amountUnrounded }) => [bonus, amount, amountUnrounded])).toEqual([
      [1.26, 1.26, 1.256],
      [0, 0, 0],
      [3, 3, 3],
      [12, 12, 12],
      [0, 0, 0],
    ])
    const plain = await cast.open({ ...game, completion: { codes: { SUCCESS: 'C' } } })
    expect(refusalOf(await read(plain, token)).code).toBe('VALIDATION_FAILED')
  })

  test('[RC9] an id that several people bring is paid once, unless people may take part again', async () => {
    const { token } = await cast.researcher()
    const filesOf = async (completion: Partial<NonNullable<ExperimentDefinition['completion']>>) => {
      const experimentId = await cast.open({ ...game, completion: { ...game.completion, ...completion } })
      // Each is another account that came with the same link.
      await play(experimentId, 'eve', 0)
      await play(experimentId, 'eve', 2)
      await play(experimentId, 'eve', 3)
      await play(experimentId, 'ann', 1)
      return (await read(experimentId, token)).text
    }
    expect(await filesOf({})).toBe('eve,2.00\nann,1.00\n')
    expect(await filesOf({ allowRepeat: true })).toBe('eve,2.00\neve,3.00\nann,1.00\n')
  })

  test('[RC9] a bonus needs a variable that exists', async () => {
    const completion = { codes: { SUCCESS: 'C' }, payment: { currency: 'GBP', bonus: 'earnt' } }
    await expect(cast.open(smallestDefinition({ completion }))).rejects.toThrow('earnt')
  })
})
