import { describeInOneMode, waitUntil } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { example } from '../rooms/examples.ts'
import { lobbyIn } from '../waiting/lobby.ts'
import { tableReader } from './play-paradigm.ts'

describeInOneMode('A paradigm to which nobody else comes', (world) => {
  const lobby = lobbyIn(world)

  it.each([
    ['dictator-game', 1],
    ['second-price-auction', 3],
  ])('[D15] pays the base of the %s for the wait, and no bonus', async (name, base) => {
    const definition = example(`paradigms/${name}`)
    const matching = { groupSize: 2, ...definition.matching, deadlineMs: 500 }
    const experimentId = await lobby.open({ ...definition, matching })
    const ann = await lobby.come(experimentId)
    expect(await ann.socket.ended()).toMatchObject({ reason: 'deadline' })
    const read = tableReader(world(), (await lobby.researcher()).token, experimentId)
    const paid = async () => (await read('payments'))[0]
    await waitUntil(async () => (await paid())?.outcome === 'NOT_MATCHED' || 'the outcome is not stored yet')
    expect(await paid()).toMatchObject({ isPaid: true, amount: base, base, bonus: 0 })
  })
})
