import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import {
  aBatch,
  anEvent,
  completeRequest,
  joined,
  openExperiment,
  startOfTime,
} from '../../../../test/stores/samples.ts'
import { heldRoom, newRoomOf, openInStages } from '../../../../test/stores/stage-samples.ts'
import { readTimeline } from '../../../modules/experiments/people.ts'
import type { SessionRecord } from '../../../modules/sessions/sessions.store.ts'

describeOnBothEngines('people', (engine) => {
  test('[X54] are listed by status, outcome, condition and revision, from one place to the next, with how long they waited', async () => {
    const { database, change } = engine()
    const experimentId = await openExperiment(database)
    const people: SessionRecord[] = []
    for (const number of [0, 1, 2, 3])
      people.push(await joined(database, experimentId, { now: startOfTime + number }))
    const [first, second, third] = people
    await database.sessions.complete(completeRequest(first?.sessionId ?? ''))
    await database.sessions.complete(completeRequest(second?.sessionId ?? '', { outcome: 'TIMEOUT' }))
    await change(`update rooms set condition = 'b', created_at = ${startOfTime + 45_002}
      where room_id = '${third?.roomId}'`)
    const anybody = { status: null, outcome: null, condition: null, revision: null }
    const all = { experimentId, after: null, limit: 10, ...anybody }
    const listed = async (filters: object) =>
      (await database.experiments.people({ ...all, ...filters })).map(({ participantId }) =>
        people.findIndex((person) => person.participantId === participantId),
      )
    expect(await listed({})).toEqual([0, 1, 2, 3])
    expect(await listed({ status: 'completed' })).toEqual([0, 1])
    expect(await listed({ status: 'active' })).toEqual([2, 3])
    expect(await listed({ outcome: 'TIMEOUT' })).toEqual([1])
    expect(await listed({ condition: 'b' })).toEqual([2])
    await change(`update participants set revision = 2 where participant_id = '${third?.participantId}'`)
    expect(await listed({ revision: 2 })).toEqual([2])
    expect(await listed({ revision: 1 })).toEqual([0, 1, 3])
    const after = { joinedAt: startOfTime + 1, participantId: second?.participantId }
    expect(await listed({ after, limit: 1 })).toEqual([2])
    // The newest first.
    const { waitsMs } = await database.experiments.plots(experimentId)
    expect(waitsMs).toEqual({ newest: [0, 45_000, 0, 0], isAll: true })
  })

  test('[X54] what somebody did is told in order, and of nobody in another experiment', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const { sessionId, participantId } = await joined(database, experimentId)
    const events = [
      anEvent(1, { type: 'state_transition', data: '{"toState":"s1"}' }),
      anEvent(2, { data: '{"value":"yes","responseTime":700}' }),
      anEvent(3, { type: 'of_our_own' }),
    ]
    await database.events.append([aBatch(sessionId, events, { receivedAt: startOfTime + 5_000 })])
    await database.sessions.complete(completeRequest(sessionId, { completedAt: startOfTime + 9_000 }))
    const { steps, events: count } = await readTimeline(database.experiments, experimentId, participantId)
    expect(
      steps.map(({ kind, at, value, durationMs }) => [kind, at - startOfTime, value, durationMs]),
    ).toEqual([
      ['joined', 0, null, null],
      ['matched', 0, null, null],
      ['entered', 5_000, null, null],
      ['answered', 5_000, 'yes', 700],
      ['completed', 9_000, 'SUCCESS', null],
    ])
    expect(count).toBe(3)
    const other = await openExperiment(database)
    await expect(readTimeline(database.experiments, other, participantId)).rejects.toThrow(
      'no such participant',
    )
  })

  test('[RM273] somebody between two stages has a role and a condition but no room, and is told from stage to stage', async () => {
    const { database, change } = engine()
    const experimentId = await openInStages(database)
    const session = await joined(database, experimentId)
    const { participantId, roomId } = session
    await joined(database, experimentId, { now: startOfTime + 1, soloRoom: false })
    await change(
      `update rooms set condition = 'b', created_at = ${startOfTime + 3_000} where room_id = '${roomId}'`,
    )
    const first = await heldRoom(database, roomId ?? '')
    const entered = { type: 'state_transition', stateId: 's1', data: '{"toState":"s1"}' }
    const ended = { type: 'stage_finished', data: '{"stage":"alone","next":"talk","fromState":"s1"}' }
    await first.append(
      [entered, ended].map((event) => ({
        participantId,
        event: { ...anEvent(1, event), round: 1, visit: 1 },
      })),
      { at: startOfTime + 5_000 },
    )
    await first.goOn([participantId], 'talk')
    const nobody = { status: null, outcome: null, condition: 'b', revision: null }
    expect(
      await database.experiments.people({ experimentId, after: null, limit: 10, ...nobody }),
    ).toMatchObject([{ participantId, roomId: null, role: 'participant', condition: 'b', status: 'active' }])
    const { groups } = await database.experiments.flow(experimentId)
    expect(groups).toMatchObject([{ people: 1 }, { people: 1 }])
    expect(groups.find(({ hasRoom }) => hasRoom)).toMatchObject({ condition: 'b' })
    expect(await database.experiments.funnel(experimentId)).toMatchObject({ placed: 1 })
    // Both are stored in one action, so no time passes between them.
    expect(await database.experiments.visits(experimentId)).toEqual([{ stateId: 's1', ms: 0 }])
    expect((await database.experiments.plots(experimentId)).waitsMs.newest).toEqual([3_000])

    const talk = await newRoomOf(database, experimentId, [participantId])
    await change(`update rooms set created_at = ${startOfTime + 9_000} where room_id = '${talk}'`)
    await change(`update former_stays set finished_at = ${startOfTime + 5_000} where room_id = '${roomId}'`)
    const { steps } = await readTimeline(database.experiments, experimentId, participantId)
    expect(
      steps.map(({ kind, at, value, durationMs }) => [kind, at - startOfTime, value, durationMs]),
    ).toEqual([
      ['joined', 0, null, null],
      ['waited', 3_000, null, 3_000],
      ['entered', 5_000, null, null],
      ['went_on', 5_000, 'alone', null],
      ['waited', 9_000, null, 4_000],
    ])
  })
})
