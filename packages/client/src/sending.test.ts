import { waitUntil } from '@atrium/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventIdTaken, NotJoined, NotSafe } from './errors.ts'
import type { Safety } from './safety.ts'
import { type Mishap, startFakePlatform } from './test/fake-platform.ts'
import { patient, recordNumbers, setUpPerson, setUpPlatform } from './test/set-up.ts'

const seed = Number(process.env.TEST_SEED ?? 20_260_101)

test('events are sent in order, in batches of at most 100, and get an id and a time', async () => {
  const platform = await setUpPlatform()
  const { participant, clock } = setUpPerson(platform)
  await participant.join('x')
  const before = clock.now()
  const recorded = await Promise.all(Array.from({ length: 250 }, () => participant.record({ type: 'click' })))
  await participant.flush(patient)
  expect(platform.storedIds()).toEqual(recorded)
  const batches = platform.requests.filter(({ endpoint }) => endpoint === 'events')
  for (const { body } of batches) expect((body.events as unknown[]).length).toBeLessThanOrEqual(100)
  for (const { event } of platform.stored)
    expect((event as unknown as { timestamp: number }).timestamp).toBeGreaterThanOrEqual(before)
  expect(participant.unsafe()).toBe(0)
})

test('a batch stays under 200 KB', async () => {
  const platform = await setUpPlatform()
  const { participant } = setUpPerson(platform)
  await participant.join('x')
  for (let number = 0; number < 12; number++)
    await participant.record({ type: 'note', data: { text: 'ä'.repeat(30_000) } })
  await participant.flush(patient)
  expect(platform.stored).toHaveLength(12)
  for (const { body } of platform.requests)
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(201_000)
})

const mishap: fc.Arbitrary<Mishap> = fc.oneof(
  fc.constantFrom<Mishap>('well', 'drop_reply', 'close', 'proxy_page'),
  fc.constantFrom<Mishap>(
    { code: 'INTERNAL' },
    { code: 'UNAVAILABLE', retryAfter: '1' },
    { code: 'RATE_LIMITED', retryAfter: '1' },
    { code: 'PAYLOAD_TOO_LARGE' },
    { code: 'REQUEST_TIMEOUT' },
  ),
)

test('[R18] whatever goes wrong on the way: nothing lost, nothing doubled, order kept', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(mishap, { maxLength: 8 }),
      fc.integer({ min: 1, max: 40 }),
      async (mishaps, count) => {
        const platform = await startFakePlatform()
        const { participant } = setUpPerson(platform)
        try {
          await participant.join('x')
          platform.mishaps.events.push(...mishaps)
          const ids = await recordNumbers(participant, 1, count)
          await participant.flush(patient)
          // One lone event that is "too large" is set aside; nothing else may be.
          const aside = (await participant.quarantined()).map(({ event }) => event.eventId)
          const arrived = platform.storedIds()
          expect([...arrived, ...aside].toSorted()).toEqual(ids.toSorted())
          expect(arrived).toEqual(ids.filter((id) => !aside.includes(id)))
          const refusals = mishaps.filter(
            (one) => typeof one === 'object' && one.code === 'PAYLOAD_TOO_LARGE',
          )
          expect(aside.length).toBeLessThanOrEqual(refusals.length)
        } finally {
          await participant.close()
          platform.stop()
        }
      },
    ),
    { seed, numRuns: 25 },
  )
})

test('a request that is never answered is given up and repeated', async () => {
  const platform = await setUpPlatform()
  const { participant } = setUpPerson(platform)
  await participant.join('x')
  platform.mishaps.events.push('hang')
  await recordNumbers(participant, 1, 3)
  await participant.flush(patient)
  expect(platform.storedIds()).toEqual(['e1', 'e2', 'e3'])
})

test('back-off has full jitter: anywhere between nothing and a step that doubles', async () => {
  const platform = await setUpPlatform()
  const { participant, clock } = setUpPerson(platform, { random: () => 0.5 })
  await participant.join('x')
  platform.mishaps.events.push(...Array.from({ length: 5 }, (): Mishap => ({ code: 'INTERNAL' })))
  await recordNumbers(participant, 1, 1)
  await waitUntil(() => platform.stored.length === 1 || 'not stored yet')
  expect(clock.delaysMs.filter((delayMs) => [250, 500, 1_000, 2_000, 4_000].includes(delayMs))).toEqual([
    250, 500, 1_000, 2_000, 4_000,
  ])
})

test('Retry-After is the least that is waited, also by someone who flushes', async () => {
  const platform = await setUpPlatform()
  const { participant, clock } = setUpPerson(platform, { random: () => 0.5 })
  await participant.join('x')
  platform.mishaps.events.push({ code: 'RATE_LIMITED', retryAfter: '7' })
  await recordNumbers(participant, 1, 1)
  await waitUntil(() => clock.delaysMs.includes(7_250) || 'not backing off yet')
  const before = clock.now()
  await participant.flush(patient)
  expect(clock.now() - before).toBeGreaterThan(5_000)
  expect(platform.requests.filter(({ endpoint }) => endpoint === 'events')).toHaveLength(2)
})

test('a batch that is too large is split until it fits', async () => {
  const platform = await setUpPlatform({ maxEvents: 10 })
  const { participant } = setUpPerson(platform)
  await participant.join('x')
  const ids = await recordNumbers(participant, 1, 80)
  await participant.flush(patient)
  expect(platform.storedIds()).toEqual(ids)
  expect(await participant.quarantined()).toEqual([])
})

test('refused events are set aside with the reason, told, and the rest is sent', async () => {
  const platform = await setUpPlatform()
  const { participant } = setUpPerson(platform)
  const told: Safety[] = []
  participant.onSafety((safety) => told.push(safety))
  await participant.join('x')
  platform.mishaps.events.push({ code: 'UNAVAILABLE', retryAfter: '1' })
  await recordNumbers(participant, 1, 4)
  await participant.record({ type: 'click', eventId: 'named', data: { isBad: true } })
  await recordNumbers(participant, 5, 9)
  await participant.record({ type: 'click', eventId: 'unnamed', data: { isBadSecretly: true } })
  await recordNumbers(participant, 10, 12)
  await participant.flush(patient)
  expect(platform.storedIds()).toEqual(Array.from({ length: 12 }, (_, index) => `e${index + 1}`))
  const aside = await participant.quarantined()
  expect(aside.map(({ event, code }) => [event.eventId, code])).toEqual([
    ['named', 'VALIDATION_FAILED'],
    ['unnamed', 'VALIDATION_FAILED'],
  ])
  expect(told.at(-1)).toMatchObject({ pending: 0, quarantined: 2, isOnline: true })
})

test('beyond a quota the whole batch is set aside after one request, and told; with no space left it is sent again', async () => {
  const platform = await setUpPlatform()
  const { participant } = setUpPerson(platform)
  const told: Safety[] = []
  participant.onSafety((safety) => told.push(safety))
  await participant.join('x')
  // What follows the first event within a second is sent together.
  const [first] = await recordNumbers(participant, 1, 1)
  await participant.flush(patient)
  platform.mishaps.events.push({ code: 'QUOTA_EXCEEDED' })
  const refused = await recordNumbers(participant, 2, 41)
  await participant.flush(patient)
  const aside = await participant.quarantined()
  expect(aside.map(({ event }) => event.eventId)).toEqual(refused)
  expect(new Set(aside.map(({ code }) => code))).toEqual(new Set(['QUOTA_EXCEEDED']))
  expect(told.at(-1)).toMatchObject({ pending: 0, quarantined: 40 })
  expect(platform.requests.filter(({ endpoint }) => endpoint === 'events')).toHaveLength(2)
  platform.mishaps.events.push({ code: 'UNAVAILABLE', retryAfter: '2' })
  const sent = await recordNumbers(participant, 42, 50)
  await participant.flush(patient)
  expect(platform.storedIds()).toEqual([first, ...sent])
})

test('[R18] an id that the server knows with other content is set aside', async () => {
  const platform = await setUpPlatform()
  const { participant } = setUpPerson(platform)
  await participant.join('x')
  await participant.record({ type: 'click', eventId: 'twice', timestamp: 1 })
  await participant.flush(patient)
  await Promise.all([
    participant.record({ type: 'click', eventId: 'twice', timestamp: 2 }),
    participant.record({ type: 'click', eventId: 'other', timestamp: 3 }),
  ])
  await participant.flush(patient)
  expect(platform.storedIds()).toEqual(['twice', 'other'])
  expect((await participant.quarantined()).map(({ code }) => code)).toEqual(['IDEMPOTENCY_CONFLICT'])
})

test('an id that still waits, with other content, is refused at once', async () => {
  const platform = await setUpPlatform()
  const { participant } = setUpPerson(platform)
  await participant.join('x')
  platform.mishaps.events.push('hang')
  await participant.record({ type: 'click', eventId: 'one', timestamp: 1 })
  await participant.record({ type: 'click', eventId: 'one', timestamp: 1 })
  await expect(participant.record({ type: 'click', eventId: 'one', timestamp: 2 })).rejects.toThrow(
    EventIdTaken,
  )
})

test('flush says what is not safe; recording needs a participation', async () => {
  const platform = await setUpPlatform()
  const { participant } = setUpPerson(platform)
  await expect(participant.record({ type: 'click' })).rejects.toThrow(NotJoined)
  await participant.join('x')
  platform.mishaps.events.push(...Array.from({ length: 200 }, (): Mishap => 'close'))
  await recordNumbers(participant, 1, 3)
  // timing: by the quick clock, and it is meant to run out.
  const failure = await participant.flush({ timeoutMs: 5_000 }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(NotSafe)
  expect(failure).toMatchObject({ pending: 3, quarantined: 0 })
  let told: Safety | undefined
  participant.onSafety((safety) => {
    told = safety
  })
  expect(told).toMatchObject({ pending: 3, isOnline: false })
  platform.mishaps.events.length = 0
  await participant.flush(patient)
  expect(platform.stored).toHaveLength(3)
})

test('the page asks before it is left while something is unsafe, and only then', async () => {
  const platform = await setUpPlatform()
  const { participant } = setUpPerson(platform)
  const page = new EventTarget()
  const remove = participant.warnWhileUnsafe(page as never)
  const isAsked = () => {
    const event = new Event('beforeunload', { cancelable: true })
    page.dispatchEvent(event)
    return event.defaultPrevented
  }
  await participant.join('x')
  expect(isAsked()).toBe(false)
  const recording = recordNumbers(participant, 1, 1)
  expect(isAsked()).toBe(true)
  await recording
  await participant.flush(patient)
  expect(isAsked()).toBe(false)
  remove()
})
