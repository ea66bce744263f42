import { waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { ApiRefused, NotSafe, Stopped } from './errors.ts'
import { patient, recordNumbers, setUpPerson, setUpPlatform } from './test/set-up.ts'

test('[R14] a lost session is joined again, and only what was not acknowledged goes to the new one', async () => {
  const platform = await setUpPlatform()
  const { participant, statuses } = setUpPerson(platform)
  const first = await participant.join('x', { role: 'buyer', metadata: { source: 'panel' } })
  await recordNumbers(participant, 1, 5)
  await participant.flush(patient)
  platform.revokeAll()
  await recordNumbers(participant, 6, 9)
  await participant.flush(patient)
  expect(participant.session?.sessionId).not.toBe(first.sessionId)
  expect(participant.session?.participantId).toBe(first.participantId)
  expect(platform.storedIds()).toEqual(Array.from({ length: 9 }, (_, index) => `e${index + 1}`))
  const bySession = platform.stored.filter(({ sessionId }) => sessionId === participant.session?.sessionId)
  expect(bySession.map(({ event }) => event.eventId)).toEqual(['e6', 'e7', 'e8', 'e9'])
  const joins = platform.requests.filter(({ endpoint }) => endpoint === 'join').map(({ body }) => body)
  expect(joins).toEqual([joins[0], joins[0]])
  expect(joins[0]).toEqual({ experimentId: 'x', role: 'buyer', metadata: { source: 'panel' } })
  expect(statuses.map(({ kind }) => kind)).toEqual(['joined', 'rejoining', 'joined'])
})

test('calls that meet the lost session at the same time join once', async () => {
  const platform = await setUpPlatform()
  const { participant } = setUpPerson(platform)
  await participant.join('x')
  platform.revokeAll()
  await recordNumbers(participant, 1, 1)
  await Promise.all([participant.discover(), participant.discover(), participant.flush(patient)])
  expect(platform.requests.filter(({ endpoint }) => endpoint === 'join')).toHaveLength(2)
})

test('[R18] an event whose reply was lost with its session is sent again and stored once', async () => {
  const platform = await setUpPlatform()
  const { participant } = setUpPerson(platform)
  await participant.join('x')
  platform.mishaps.events.push('drop_reply')
  await recordNumbers(participant, 1, 1)
  await waitUntil(() => platform.stored.length === 1 || 'not stored yet')
  platform.revokeAll()
  await participant.flush(patient)
  expect(platform.storedIds()).toEqual(['e1'])
})

test('an ID token that has run out is fetched anew, once', async () => {
  const platform = await setUpPlatform()
  const wishes: boolean[] = []
  const { participant } = setUpPerson(platform, {
    getIdToken: ({ isRefresh }) => {
      wishes.push(isRefresh)
      return isRefresh ? 'ann' : 'stale'
    },
  })
  await participant.join('x')
  expect(wishes).toEqual([false, true])
  platform.mishaps.history.push({ code: 'UNAUTHENTICATED' })
  expect(await participant.history()).toEqual([])
  expect(wishes).toEqual([false, true, false, true])
})

test('a first join outlasts a short trouble and tells a lasting one', async () => {
  const platform = await setUpPlatform()
  const { participant } = setUpPerson(platform)
  platform.mishaps.join.push('close', { code: 'UNAVAILABLE', retryAfter: '1' }, 'drop_reply')
  await participant.join('x')
  platform.mishaps.join.push('close', 'close', 'close', 'close')
  await expect(participant.join('x')).rejects.toThrow('join')
})

test('when joining again is refused it stops, tells why, keeps the events and asks no more', async () => {
  const platform = await setUpPlatform()
  const { participant, statuses } = setUpPerson(platform)
  await participant.join('x')
  platform.revokeAll()
  platform.closeExperiment('status')
  await recordNumbers(participant, 1, 2)
  await waitUntil(() => participant.status.kind === 'stopped' || participant.status.kind)
  expect(statuses.at(-1)).toMatchObject({ code: 'EXPERIMENT_CLOSED', details: { reason: 'status' } })
  await expect(participant.flush(patient)).rejects.toThrow(NotSafe)
  await expect(participant.discover()).rejects.toThrow(Stopped)
  expect(participant.unsafe()).toBe(2)
  expect(platform.requests.filter(({ endpoint }) => endpoint === 'join')).toHaveLength(2)
})

test('two devices of one person do not take the session from each other for ever', async () => {
  const platform = await setUpPlatform()
  const { participant, clock } = setUpPerson(platform, { random: () => 1 })
  await participant.join('x')
  // The other device joins as soon as we have joined.
  const timer = setInterval(() => platform.revokeAll(), 1)
  await recordNumbers(participant, 1, 1)
  platform.mishaps.events.push(...Array.from({ length: 20 }, () => ({ code: 'SESSION_INVALID' as const })))
  await waitUntil(() => participant.status.kind === 'stopped' || participant.status.kind)
  clearInterval(timer)
  expect(platform.requests.filter(({ endpoint }) => endpoint === 'join').length).toBeLessThanOrEqual(7)
  // Each attempt waits longer than the one before.
  expect(
    clock.delaysMs.filter((delayMs) => [1_000, 2_000, 4_000, 8_000].includes(delayMs)).length,
  ).toBeGreaterThan(2)
  expect(participant.unsafe()).toBe(1)
})

test('[R20] completing saves first, counts over the participation, and survives a lost reply', async () => {
  const platform = await setUpPlatform()
  const { participant } = setUpPerson(platform)
  await participant.join('x')
  await recordNumbers(participant, 1, 3)
  await participant.flush(patient)
  platform.revokeAll()
  await recordNumbers(participant, 4, 5)
  platform.mishaps.complete.push('drop_reply', { code: 'RATE_LIMITED', retryAfter: '1' })
  const completion = await participant.complete({
    completionCode: 'SUCCESS',
    finalState: 's9',
    durationMs: 12.4,
    ...patient,
  })
  expect(completion).toEqual({
    outcome: 'SUCCESS',
    completionCode: 'SUCCESS',
    redirectUrl: 'https://panel.example/SUCCESS',
  })
  const bodies = platform.requests.filter(({ endpoint }) => endpoint === 'complete').map(({ body }) => body)
  expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]])
  expect(bodies[0]).toEqual({
    completionCode: 'SUCCESS',
    finalState: 's9',
    summary: { totalEvents: 5, duration: 12 },
  })
  expect(platform.stored).toHaveLength(5)
  expect(participant.status.kind).toBe('completed')
})

test('completing is refused while events are unsafe, unless it is forced', async () => {
  const platform = await setUpPlatform()
  const { participant } = setUpPerson(platform)
  await participant.join('x')
  platform.mishaps.events.push(...Array.from({ length: 200 }, () => 'close' as const))
  await recordNumbers(participant, 1, 2)
  // timing: by the quick clock, and it is meant to run out.
  const request = { completionCode: 'SUCCESS', timeoutMs: 3_000 }
  await expect(participant.complete(request)).rejects.toThrow(NotSafe)
  expect(platform.requests.filter(({ endpoint }) => endpoint === 'complete')).toHaveLength(0)
  await participant.complete({ ...request, force: true })
  expect(platform.requests.at(-1)?.body).toMatchObject({ summary: { totalEvents: 2 } })
})

test('after the completion the server takes nothing more; it is told and kept', async () => {
  const platform = await setUpPlatform()
  const { participant } = setUpPerson(platform)
  await participant.join('x')
  await participant.complete({ completionCode: 'SUCCESS', ...patient })
  await recordNumbers(participant, 1, 1)
  await expect(participant.flush(patient)).rejects.toThrow(NotSafe)
  expect(participant.status).toMatchObject({ kind: 'stopped', code: 'SESSION_COMPLETED' })
})

test('refusals keep code, status and details', async () => {
  const platform = await setUpPlatform()
  const { participant } = setUpPerson(platform)
  platform.closeExperiment('full')
  const refusal = await participant.join('x').catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ApiRefused)
  expect(refusal).toMatchObject({ code: 'EXPERIMENT_CLOSED', status: 409, details: { reason: 'full' } })
  expect(await participant.history()).toEqual([])
})
