import { waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { ConsentRequired } from './errors.ts'
import { patient, recordNumbers, setUpPerson, setUpPlatform } from './test/set-up.ts'
import { takePart } from './waiting/take-part.ts'

async function setUp() {
  const platform = await setUpPlatform()
  platform.askConsent()
  const person = setUpPerson(platform)
  await person.participant.join('x')
  const types = () => platform.stored.map(({ event }) => event.type)
  return { platform, ...person, types }
}

test('[R38] before consent nothing else is recorded, here or there, and no room is entered', async () => {
  const { participant, platform, types } = await setUp()
  expect(participant.needsConsent).toBe(true)
  await expect(participant.record({ type: 'click', data: {} })).rejects.toThrow(ConsentRequired)
  await expect(takePart(participant)).rejects.toThrow(ConsentRequired)
  expect(participant.unsafe()).toBe(0)
  await participant.giveConsent({ readMs: 5_000 })
  expect(participant.needsConsent).toBe(false)
  await recordNumbers(participant, 1, 2)
  await participant.flush(patient)
  expect(types()).toEqual(['consent_given', 'click', 'click'])
  expect(platform.stored[0]?.event.data).toEqual({ readMs: 5_000 })
})

test('[R38] it is not asked for again on another device', async () => {
  const { participant, platform } = await setUp()
  await participant.giveConsent()
  const other = setUpPerson(platform).participant
  await other.join('x')
  expect(other.needsConsent).toBe(false)
  await recordNumbers(other, 1, 1)
  await other.flush(patient)
})

test('[R38] what is recorded right after a yes follows it, though the connection is lost', async () => {
  const { participant, platform, types } = await setUp()
  platform.mishaps.events.push('close', 'drop_reply')
  await participant.record({ type: 'consent_given', data: {} })
  await recordNumbers(participant, 1, 3)
  await participant.flush(patient)
  expect(types()).toEqual(['consent_given', 'click', 'click', 'click'])
})

test('[R38] whoever declines completes with NO_CONSENT, and nothing else is recorded', async () => {
  const { participant, types } = await setUp()
  await participant.declineConsent()
  await expect(participant.record({ type: 'click', data: {} })).rejects.toThrow(ConsentRequired)
  const { completionCode } = await participant.complete({ completionCode: 'NO_CONSENT' })
  expect([completionCode, types()]).toEqual(['NO_CONSENT', ['consent_declined']])
})

test('[S11] withdrawn on another device: what waits is kept, and sent when it is given again', async () => {
  const { participant, platform, types } = await setUp()
  await participant.giveConsent()
  platform.withdrawConsents()
  await recordNumbers(participant, 1, 2)
  await waitUntil(() => participant.needsConsent || 'not noticed yet')
  expect(participant.unsafe()).toBe(2)
  await participant.giveConsent()
  await participant.flush(patient)
  expect(types()).toEqual(['consent_given', 'consent_given', 'click', 'click'])
})
