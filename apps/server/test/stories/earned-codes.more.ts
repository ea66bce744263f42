import { type ExperimentDefinition, participantRoutes, recruitmentRoutes, roomRoutes } from '@atrium/contract'
import { createApi, describeInOneMode, succeeded } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { acknowledged, tableIn } from '../rooms/table.ts'
import { changeRows } from './database.ts'
import { issuePathsOf, refusalOf } from './refusal.ts'

const codes = {
  SUCCESS: 'PAID-1',
  SCREENED_OUT: 'OUT-2',
  NO_CONSENT: 'NONE-3',
  TECHNICAL: 'TECH-4',
  TIMEOUT: 'LATE-5',
  BONUS: 'PAID-1',
  GIFT: 'PAID-6',
}
const completion = { codes, redirectUrl: 'https://recruiter.example/?cc={{code}}' }
const slider = { id: 'rate', type: 'slider' }
const survey = (more: Partial<ExperimentDefinition> = {}): ExperimentDefinition => ({
  name: 'Survey',
  states: [
    { id: 'ask', components: [slider], end: { on: 'all_responded' } },
    { id: 'more', components: [] },
  ],
  completion,
  ...more,
})
const notFinished = { status: 409, code: 'NOT_FINISHED' }
const given = (outcome: keyof typeof codes) => ({
  outcome,
  completionCode: codes[outcome],
  redirectUrl: `https://recruiter.example/?cc=${codes[outcome]}`,
  sessionEnded: true,
})

describeInOneMode('Codes are earned', (world) => {
  const table = tableIn(world)
  /** On every instance: each must know what the room decided. */
  const anyApi = createApi(() => world().any().http)
  const complete = (session: { sessionId: string }, completionCode = 'SUCCESS', more: object = {}) =>
    anyApi.call(participantRoutes.completeV4, { session, body: { completionCode, ...more } })
  const enter = async (definition = survey()) => {
    const experimentId = await table.open(definition)
    const person = await table.join(experimentId)
    const room = await table.connect(person)
    onTestFinished(() => room.close())
    return { experimentId, person, room }
  }
  const answer = (room: Awaited<ReturnType<typeof enter>>['room'], componentId: string, value: unknown) =>
    acknowledged(room.act('submit_response', { componentId, value }))
  const comesBack = (token: string, experimentId: string) =>
    anyApi.call(participantRoutes.joinV4, { token, body: { experimentId } })

  test('[R52] right after joining there is no code, whatever outcome is named', async () => {
    const experimentId = await table.open(survey())
    for (const names of [
      ['SUCCESS', 'success', 'PAID-1'],
      ['paid-1', ' Paid 1 ', 'BONUS'],
    ]) {
      const person = await table.join(experimentId)
      for (const name of names) {
        const refused = await complete(person, name)
        expect(refusalOf(refused)).toMatchObject(notFinished)
        expect(refused.text).not.toContain('PAID-1')
      }
    }
  })

  test('[S40,R52] an outcome of the flow’s own is given when the room has decided it, not before', async () => {
    const next = [{ to: 'end', when: 'response.rate > 50', outcome: 'GIFT' }, { to: 'more' }]
    const states: ExperimentDefinition['states'] = [
      { id: 'ask', components: [slider], end: { on: 'all_responded' }, next },
      { id: 'more', components: [] },
    ]
    const { person, room } = await enter(survey({ states }))
    for (const name of ['GIFT', 'PAID-6']) {
      const refused = await complete(person, name)
      expect(refusalOf(refused)).toMatchObject(notFinished)
      expect(refused.text).not.toContain('PAID-6')
    }
    await answer(room, 'rate', 80)
    expect(succeeded(await complete(person)).data).toEqual(given('GIFT'))
  })

  test('[R52] other outcomes may be named at any time', async () => {
    const experimentId = await table.open(survey())
    const person = await table.join(experimentId)
    expect(succeeded(await complete(person, 'TIMEOUT')).data).toEqual(given('TIMEOUT'))
  })

  test('[R52] there is none in the waiting room either', async () => {
    const person = await table.join(await table.open(survey({ matching: { groupSize: 2 } })))
    expect(refusalOf(await complete(person))).toMatchObject(notFinished)
  })

  test('[R52] a participant whose last response is acknowledged has finished, on every instance', async () => {
    const { person, room } = await enter()
    await answer(room, 'rate', 40)
    expect(refusalOf(await complete(person))).toMatchObject(notFinished)
    await acknowledged(room.act('ready'))
    expect(succeeded(await complete(person, 'TIMEOUT')).data).toEqual(given('SUCCESS'))
    expect(succeeded(await complete(person)).data).toEqual(given('SUCCESS'))
  })

  test('[R52] a room of an earlier version, which recorded no outcome, is queried', async () => {
    const { person, room } = await enter()
    await answer(room, 'rate', 40)
    await acknowledged(room.act('ready'))
    await changeRows(
      world(),
      `update participants set outcome = null where participant_id = '${person.participantId}'`,
    )
    expect(succeeded(await complete(person)).data).toEqual(given('SUCCESS'))
  })

  test('[R52,S23] after a failed check the code is that of SCREENED_OUT, even after they come back', async () => {
    const questions = [{ id: 'q', label: '?', options: ['x', 'y'], correct: 'x' }]
    const check = { id: 'quiz', type: 'instructions', questions, maxAttempts: 1, onFail: 'end' }
    const definition = survey({ states: [{ id: 'check', components: [check] }] })
    const { experimentId, person, room } = await enter(definition)
    await answer(room, 'quiz', { answers: { q: 'y' } })
    expect(succeeded(await complete(person)).data).toEqual(given('SCREENED_OUT'))
    const { sessionEnded: _, ...details } = given('SCREENED_OUT')
    expect(refusalOf(await comesBack(person.token, experimentId))).toMatchObject({
      status: 409,
      code: 'EXPERIMENT_CLOSED',
      details: { reason: 'already_completed', ...details },
    })
  })

  test('[R52] after declining the code is that of NO_CONSENT', async () => {
    const consent = { id: 'agree', type: 'consent', text: 'Do you agree?' }
    const { person, room } = await enter(survey({ states: [{ id: 'consent', components: [consent] }] }))
    await answer(room, 'agree', { agreed: false })
    expect(succeeded(await complete(person)).data).toEqual(given('NO_CONSENT'))
  })

  test('[R52] a removed participant who joins again gets the outcome that the researcher named', async () => {
    const { person, room } = await enter()
    const { token } = await table.researcher()
    const params = { roomId: person.roomId, participantId: person.participantId }
    succeeded(await table.api.call(roomRoutes.remove, { token, params, body: {} }))
    await room.event('finished')
    const again = await person.joinAgain()
    expect(succeeded(await complete(again)).data).toEqual(given('TECHNICAL'))
  })

  test('[R52] after leaving the code is that of ABANDONED', async () => {
    const { person, room } = await enter()
    await acknowledged(room.act('leave'))
    expect(succeeded(await complete(person)).data).toMatchObject({ outcome: 'ABANDONED' })
  })

  test('[R57] the outcome of a transition or a deadline decides the code', async () => {
    const next = [{ to: 'end', when: 'response.rate < 20', outcome: 'SCREENED_OUT' }]
    const states: ExperimentDefinition['states'] = [
      { id: 'ask', components: [slider], end: { on: 'all_responded' }, next },
      { id: 'hurry', components: [], end: { on: 'button', afterMs: 200, onTimeout: { outcome: 'TIMEOUT' } } },
    ]
    const young = await enter(survey({ states }))
    await answer(young.room, 'rate', 10)
    expect(succeeded(await complete(young.person)).data).toEqual(given('SCREENED_OUT'))
    const slow = await enter(survey({ states }))
    await answer(slow.room, 'rate', 30)
    await slow.room.event('finished')
    expect(succeeded(await complete(slow.person)).data).toEqual(given('TIMEOUT'))
  })

  test('[R52] if the experiment lets the client decide, the client decides', async () => {
    const { person, room } = await enter(survey({ completion: { ...completion, verify: 'none' } }))
    await acknowledged(room.act('leave'))
    expect(succeeded(await complete(person)).data).toEqual(given('SUCCESS'))
  })

  test('[S22] requireAllEvents cannot be evaded by omitting the summary', async () => {
    const definition = survey({
      states: [{ id: 's1', components: [] }],
      completion: { requireAllEvents: true },
    })
    const person = await table.join(await table.open(definition))
    const refused = await complete(person)
    expect(refusalOf(refused)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    expect(issuePathsOf(refused)).toEqual(['/summary'])
    const summary = { totalEvents: 0, duration: 1 }
    expect((await complete(person, 'SUCCESS', { summary })).status).toBe(200)
  })

  test('[X21,X47] the monitor counts endings by name, and nobody who has ended as active', async () => {
    const experimentId = await table.open(survey())
    const [finished, removed, gone, here] = await Promise.all(
      [1, 2, 3, 4].map(() => table.join(experimentId)),
    )
    if (!finished || !removed || !gone || !here) throw new Error('four have joined')
    const room = await table.connect(finished)
    onTestFinished(() => room.close())
    await answer(room, 'rate', 40)
    await acknowledged(room.act('ready'))
    await table.endRoom(removed.roomId)
    succeeded(await complete(gone, 'NO_CONSENT'))
    expect(await table.monitor(experimentId)).toMatchObject({
      participants: { total: 4, active: 1, completed: 1 },
      outcomes: { SUCCESS: 1, NO_CONSENT: 1, TECHNICAL: 1 },
    })
    // X47: the list that people are paid from says the same, also of those who have not asked for their code.
    const { token } = await table.researcher()
    const listed = succeeded(
      await table.api.call(recruitmentRoutes.list, { token, params: { experimentId } }),
    )
    const ends = new Map(listed.participants.map((one) => [one.participantId, [one.status, one.outcome]]))
    expect([finished, removed, gone, here].map(({ participantId }) => ends.get(participantId))).toEqual([
      ['completed', 'SUCCESS'],
      ['completed', 'TECHNICAL'],
      ['completed', 'NO_CONSENT'],
      ['active', null],
    ])
  })
})
