import { participantRoutes } from '@atrium/contract'
import { describeInOneMode, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf } from './cast.ts'
import { moveExpiry } from './database.ts'
import { refusalOf } from './refusal.ts'

describeInOneMode('GET /api/v4/participant/history', (world) => {
  const cast = castOf(world)

  test('[R8] a person without sessions has an empty list', async () => {
    const { token } = await cast.person()
    expect((await cast.api.call(participantRoutes.historyV4, { token })).body).toEqual({
      status: 'success',
      data: { sessions: [] },
    })
  })

  test('[R15] every session is listed with its status, newest first', async () => {
    const finished = await cast.open({ name: 'Finished', completion: { codes: { SUCCESS: 'DONE' } } })
    const resumed = await cast.open({ name: 'Resumed' })
    const lapsed = await cast.open({ name: 'Lapsed' })
    const { token, session: first, join } = await cast.participant(finished)
    succeeded(await cast.complete(first))
    const second = await join(resumed)
    const third = await join(resumed)
    const fourth = await join(lapsed)
    await moveExpiry(world(), fourth.sessionId, Date.now() - 1)
    const item = (sessionId: string, experimentId: string, experimentName: string, status: string) => ({
      sessionId,
      experimentId,
      experimentName,
      status,
      startedAt: expect.any(String),
      completedAt: null,
      completionCode: null,
    })
    const sessions = await cast.history(token)
    expect(sessions).toEqual([
      item(fourth.sessionId, lapsed, 'Lapsed', 'expired'),
      item(third.sessionId, resumed, 'Resumed', 'active'),
      item(second.sessionId, resumed, 'Resumed', 'revoked'),
      {
        ...item(first.sessionId, finished, 'Finished', 'completed'),
        completedAt: expect.any(String),
        completionCode: 'DONE',
      },
    ])
    const starts = sessions.map(({ startedAt }) => Date.parse(startedAt))
    expect(starts).toEqual(starts.toSorted((a, b) => b - a))
  })

  test('[R5] nobody sees another person’s sessions', async () => {
    const experimentId = await cast.open()
    const one = await cast.participant(experimentId)
    const other = await cast.participant(experimentId)
    expect((await cast.history(one.token)).map(({ sessionId }) => sessionId)).toEqual([one.session.sessionId])
    expect((await cast.history(other.token)).map(({ sessionId }) => sessionId)).toEqual([
      other.session.sessionId,
    ])
  })

  test('[R9] without an ID token it is UNAUTHENTICATED; a session does not replace one', async () => {
    const { session } = await cast.participant(await cast.open())
    for (const options of [{}, { session }, { token: session.sessionToken }])
      expect(refusalOf(await cast.api.call(participantRoutes.historyV4, options))).toMatchObject({
        status: 401,
        code: 'UNAUTHENTICATED',
      })
  })
})
