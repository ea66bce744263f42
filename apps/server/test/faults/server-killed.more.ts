import { describeInBothModes } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { startEventLoad } from './event-load.ts'

describeInBothModes('a server killed under load', (world) => {
  test('[I1,I2] every acknowledged event is stored once and in order; no batch is partial or duplicated', async () => {
    const { mode, servers } = world()
    const load = await startEventLoad({ servers, clients: 24 })
    await load.progress(30)
    const [first, second = first] = servers
    for (const victim of [first, second]) {
      await victim?.kill()
      // The others keep running; participants of the dead server retry their current batch elsewhere.
      if (mode === 'cluster') await load.progress(60)
      await victim?.restart()
      await load.progress(60)
    }
    await load.stop()
    expect(load.log.some(({ kind }) => kind === 'unreachable')).toBe(true)
    expect(await load.faults()).toEqual([])
  })
})
