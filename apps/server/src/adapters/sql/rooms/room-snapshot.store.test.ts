import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import { joined, openExperiment } from '../../../../test/stores/samples.ts'

describeOnBothEngines('snapshots of a room', (engine) => {
  async function claimedRoom() {
    const { rooms } = engine().database
    const { roomId } = await joined(engine().database, await openExperiment(engine().database))
    if (roomId === null) throw new Error('one person gets a room at once')
    const claim = async () => (await rooms.claim(roomId, 'pod-0', 'seed'))?.epoch ?? 0
    const save = (epoch: number, seq: number, state: string) =>
      rooms.saveSnapshot({ roomId, epoch, seq, state })
    const kept = async () => (await rooms.load(roomId)).snapshot
    return { roomId, epoch: await claim(), claim, save, kept }
  }

  test('[RM64] a room keeps the newest one, in whatever order they arrive', async () => {
    const { epoch, save, kept } = await claimedRoom()
    expect(await kept()).toBeNull()
    await save(epoch, 200, '{"at":200}')
    await save(epoch, 400, '{"at":400}')
    await save(epoch, 300, '{"at":300}')
    await save(epoch, 400, '{"at":"400 again"}')
    expect(await kept()).toEqual({ seq: 400, state: '{"at":400}' })
  })

  test('[RM64] one from a former owner is not written', async () => {
    const { epoch, claim, save, kept } = await claimedRoom()
    const next = await claim()
    await save(epoch, 200, '{"by":"the former"}')
    expect(await kept()).toBeNull()
    await save(next, 100, '{"by":"the owner"}')
    await save(epoch, 200, '{"by":"the former"}')
    expect(await kept()).toEqual({ seq: 100, state: '{"by":"the owner"}' })
  })

  test('[RM64] may be several MB', async () => {
    const { epoch, save, kept } = await claimedRoom()
    const state = JSON.stringify({ text: '漢'.repeat(3_000_000) })
    await save(epoch, 1, state)
    expect((await kept())?.state.length).toBe(state.length)
  })
})
