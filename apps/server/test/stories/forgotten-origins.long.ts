// Long, because the server sweeps every half minute.
import { describeInBothModes, waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf } from './cast.ts'
import { moveExpiry, sessionRow } from './database.ts'

const days = (count: number) => count * 24 * 60 * 60 * 1000

describeInBothModes('[R48] where participants came from', (world) => {
  const cast = castOf(world)

  test('is erased thirty days after their session is over, and the code can still be seen', async () => {
    const experimentId = await cast.open()
    const [old, recent] = [await cast.participant(experimentId), await cast.participant(experimentId)]
    for (const { session } of [old, recent]) await cast.complete(session)
    const code = (await cast.history(old.token)).map(({ completionCode }) => completionCode)
    const before = await sessionRow(world(), old.session.sessionId)
    // It would have expired tomorrow.
    await moveExpiry(world(), old.session.sessionId, before.expiresAt - days(32))
    await moveExpiry(world(), recent.session.sessionId, before.expiresAt - days(30))
    expect(before.ipAddress).not.toBe('')
    expect(before.userAgent).not.toBe('')

    await waitUntil(
      async () => (await sessionRow(world(), old.session.sessionId)).ipAddress === '' || 'not swept yet',
    )
    const { ipAddress, userAgent } = await sessionRow(world(), old.session.sessionId)
    expect([ipAddress, userAgent]).toEqual(['', ''])
    expect((await sessionRow(world(), recent.session.sessionId)).ipAddress).not.toBe('')
    expect((await cast.history(old.token)).map(({ completionCode }) => completionCode)).toEqual(code)
  })
})
