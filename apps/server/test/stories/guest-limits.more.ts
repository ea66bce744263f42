import { identityRoutes, limits } from '@atrium/contract'
import { type ApiResponse, describeInOneMode, succeeded, waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf, upTo } from './cast.ts'
import { refusalOf } from './refusal.ts'

describeInOneMode(
  'guests from one address',
  (world) => {
    const cast = castOf(world)

    test('[R51] a classroom can join from one address at once; more than four times as many are limited', async () => {
      const experimentId = await cast.open()
      const limit = limits.requestsPerAddressPerWindow.guest
      const from = (address: string) =>
        cast.api.call(identityRoutes.guest, {
          body: { experimentId },
          headers: { 'x-forwarded-for': address },
        })
      const classroom = () => Promise.all(upTo(300).map(() => from('10.0.0.1')))
      let admitted = 0
      let refused: ApiResponse | undefined
      // It may take any time: a window that ends in between only lets more of them in. So many at once may be more than a
      // busy machine can serve in time, which is 503 and no limit.
      await waitUntil(async () => {
        const answers = await classroom()
        admitted += answers.filter(({ status }) => status !== 429).length
        refused = answers.find(({ status }) => status === 429)
        return refused !== undefined || 'everybody was let in'
      })
      expect(admitted).toBeGreaterThanOrEqual(limit)
      if (!refused) throw new Error('nobody was refused')
      expect(refusalOf(refused)).toMatchObject({ code: 'RATE_LIMITED' })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      await waitUntil(async () => (await from('10.0.0.2')).status === 200 || 'the other address is refused')
    })

    test('[G15] ids of people who have joined from elsewhere: 60 a minute, their own browsers not counted', async () => {
      const experimentId = await cast.open()
      const claim = (address: string, more: object = {}) =>
        cast.api.call(identityRoutes.guest, {
          body: { experimentId, externalId: 'taken', ...more },
          headers: { 'x-forwarded-for': address },
        })
      const { idToken, guestSecret } = succeeded(await claim('10.0.1.1'))
      succeeded(await cast.join(idToken, { experimentId }))
      const limit = limits.guestClaimsPerAddressPerWindow
      let refused: ApiResponse | undefined
      await waitUntil(async () => {
        const answers = await Promise.all(upTo(limit + 1).map(() => claim('10.0.1.2')))
        refused = answers.find(({ status }) => status !== 200)
        return refused !== undefined || 'a window ended meanwhile'
      })
      if (!refused) throw new Error('nobody was refused')
      expect(refusalOf(refused)).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      for (const more of [{ guestSecret }, { externalId: 'new' }])
        expect((await claim('10.0.1.2', more)).status).toBe(200)
    })
  },
  { env: { TRUST_PROXY: 'true' } },
)
