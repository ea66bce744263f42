import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import {
  aBatch,
  anEvent,
  completeRequest,
  exportAll,
  joined,
  openExperiment,
  startOfTime,
} from '../../../../test/stores/samples.ts'

describeOnBothEngines('completion', (engine) => {
  async function started() {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    return { database, experimentId, session: await joined(database, experimentId) }
  }

  test('[R20] completing stores the answer and seals the session', async () => {
    const { database, session } = await started()
    const request = completeRequest(session.sessionId, {
      outcome: 'SUCCESS 👋',
      completionCode: `C"O'D\\E`,
      redirectUrl: 'https://x.example/?a=%20&b=ü',
      finalState: 's2',
    })
    expect(await database.sessions.complete(request)).toEqual({
      kind: 'completed',
      completion: request.completion,
      roomId: session.roomId,
    })
    const stored = await database.sessions.find(session.sessionId)
    expect(stored).toMatchObject({ status: 'completed', completion: request.completion })
    expect(await database.events.append([aBatch(session.sessionId, [anEvent(1)])])).toEqual([
      { kind: 'sealed' },
    ])
  })

  test('[I3] twenty calls at the same time end in one completion and the same answer', async () => {
    const { database, session } = await started()
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        database.sessions.complete(
          completeRequest(session.sessionId, {
            completionCode: `C${index}`,
            completedAt: startOfTime + index,
          }),
        ),
      ),
    )
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1)
  })

  test('[R20] a batch that races the completion is stored before it or refused', async () => {
    const { database, experimentId, session } = await started()
    const batches = Array.from({ length: 10 }, (_, index) => aBatch(session.sessionId, [anEvent(index)]))
    const [completed, ...outcomes] = await Promise.all([
      database.sessions.complete(completeRequest(session.sessionId)),
      ...batches.map((batch) => database.events.append([batch])),
    ])
    expect(completed).toMatchObject({ kind: 'completed' })
    const stored = outcomes.flat().filter((outcome) => outcome.kind === 'recorded')
    expect((await exportAll(database, experimentId)).lines).toHaveLength(stored.length)
  })

  test('[R20] fewer events than the client counted is a gap; an experiment may refuse it', async () => {
    const { database, experimentId, session } = await started()
    await database.events.append([aBatch(session.sessionId, [anEvent(1), anEvent(2)])])
    const claim = { ...completeRequest(session.sessionId), claimedEvents: 3, duration: 2 ** 53 - 1 }
    expect(await database.sessions.complete({ ...claim, requireAllEvents: true })).toEqual({
      kind: 'events_missing',
      stored: 2,
    })
    await database.events.append([aBatch(session.sessionId, [anEvent(3)])])
    expect(await database.sessions.complete({ ...claim, claimedEvents: 5 })).toMatchObject({
      kind: 'completed',
    })
    expect(await database.experiments.monitor(experimentId, startOfTime)).toMatchObject({
      sessionsWithGaps: 1,
      events: 3,
      participants: { total: 1, active: 0, completed: 1 },
      openRooms: 0,
      lastEventAt: new Date(startOfTime).toISOString(),
    })
  })

  test('[R20,S3] events of earlier sessions count too after a resume', async () => {
    const { database, experimentId } = await started()
    const person = { issuer: 'urn:test', subject: 'resumes' }
    const first = await joined(database, experimentId, { person })
    await database.events.append([aBatch(first.sessionId, [anEvent(1), anEvent(2)])])
    const second = await joined(database, experimentId, { person })
    await database.events.append([aBatch(second.sessionId, [anEvent(3)])])
    const request = { ...completeRequest(second.sessionId), claimedEvents: 3, requireAllEvents: true }
    expect(await database.sessions.complete(request)).toMatchObject({ kind: 'completed' })
  })

  test('[R15] a session that ended in another way cannot be completed', async () => {
    const { database, session } = await started()
    await database.sessions.revoke({ sessionId: session.sessionId, actor: 'admin', now: startOfTime })
    expect(await database.sessions.complete(completeRequest(session.sessionId))).toEqual({
      kind: 'refused',
      status: 'revoked',
    })
    expect(await database.sessions.complete(completeRequest('sess_unknown'))).toEqual({ kind: 'not_found' })
  })
})
