import { startServer } from '@atrium/testkit'
import { test } from 'vitest'
import { playOverBadLine } from './bad-line-study.ts'

test('[I1,I2,I3] a group whose line loses every fifth packet finishes its study; nothing is lost or doubled', async () => {
  const server = await startServer()
  const line = { loss: 0.2, roundTripMs: 60, seed: '1', patienceMs: 800 }
  await playOverBadLine({ http: server.http, line, participants: 3, groupSize: 3, rounds: 1 })
  await server.stop()
})
