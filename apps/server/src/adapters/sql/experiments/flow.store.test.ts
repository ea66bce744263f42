import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import {
  aBatch,
  anEvent,
  completeRequest,
  joined,
  oneDayMs,
  openExperiment,
  startOfTime,
} from '../../../../test/stores/samples.ts'
import { flowOf } from '../../../modules/experiments/flow.ts'

describeOnBothEngines('the participant flow', (engine) => {
  const study = async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database, { capacity: 20 })
    const join = (more = {}) => joined(database, experimentId, { soloRoom: false, ...more })
    const counts = async () => {
      const { groups, deleted } = await database.experiments.flow(experimentId)
      return flowOf(groups, deleted, true).total
    }
    return { database, experimentId, join, counts }
  }

  test('[R92,X90] people who have not answered the consent are counted apart from those who wait', async () => {
    const { database, join, counts } = await study()
    const answer = async (type: string) => {
      const { sessionId } = await join({ needsConsent: true })
      await database.events.append([
        aBatch(sessionId, [anEvent(1, { type, data: '{}' })], { needsConsent: true }),
      ])
    }
    await join({ needsConsent: true })
    await join({ needsConsent: true, soloRoom: true })
    await join()
    await answer('consent_given')
    await answer('consent_declined')
    expect(await counts()).toMatchObject({
      ...{ arrived: 5, awaitingConsent: 2, consented: 1, declined: 1, waiting: 2, inProgress: 0 },
    })
    await database.sessions.expire(startOfTime + 2 * oneDayMs)
    expect(await counts()).toMatchObject({ awaitingConsent: 0, declined: 1, dropped: { disconnected: 4 } })
  })

  test('[R92,X90] who is only forgotten is counted by what became of them, who is deleted as deleted', async () => {
    const { database, experimentId, join, counts } = await study()
    const places = async () => (await database.experiments.find(experimentId))?.participantCount
    const by = { experimentId, actor: 'ada', now: startOfTime, requestedBy: 'researcher' } as const
    const [done, here, gone, revoked] = [await join(), await join(), await join(), await join()]
    await database.sessions.complete(completeRequest(done.sessionId))
    await database.sessions.revoke({ sessionId: revoked.sessionId, actor: 'ada', now: startOfTime })
    for (const { participantId } of [done, here, revoked]) {
      const ids = await database.privacy.endParticipation({ ...by, participantId, withdraws: false })
      await database.privacy.sever({ ...by, participantId })
      expect(ids).toHaveLength(1)
    }
    await database.privacy.endParticipation({ ...by, participantId: gone.participantId, withdraws: true })
    await database.privacy.erase({
      ...by,
      participantId: gone.participantId,
      erasedId: 'p_x',
      condition: null,
      room: null,
    })
    expect(await counts()).toMatchObject({
      ...{ arrived: 4, completed: 1, removed: 1, deleted: 1, dropped: { disconnected: 1 } },
    })
    // Somebody who cannot come back and was at the beginning has given back their place; a revoked session has not.
    expect(await places()).toBe(2)
  })
})
