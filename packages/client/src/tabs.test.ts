import 'fake-indexeddb/auto'
import { waitUntil } from '@atrium/testkit'
import { describe, expect, test } from 'vitest'
import { newId } from './ids.ts'
import { createIndexedDbQueue } from './queue/indexed-db-queue.ts'
import type { QueueStore } from './queue/queue-store.ts'
import type { Locks } from './queue/sender-lock.ts'
import { createFakeLocks } from './test/fake-locks.ts'
import type { FakePlatform } from './test/fake-platform.ts'
import { createQuickClock } from './test/quick-clock.ts'
import { patient, recordNumbers, setUpPerson, setUpPlatform } from './test/set-up.ts'

/** Tabs of one browser: one database, one lock manager, one clock. */
function openBrowser(platform: FakePlatform, locks: Locks | undefined) {
  const databaseName = newId()
  const clock = createQuickClock()
  return {
    openTab: () =>
      setUpPerson(platform, { queueStore: createIndexedDbQueue({ locks, clock, databaseName }), clock }),
  }
}

describe.each([
  ['Web Locks', createFakeLocks],
  ['a lease row', () => undefined],
])('two tabs, by %s', (_name, createLocks) => {
  test('the newer tab takes over and sends what both record, once', async () => {
    const platform = await setUpPlatform()
    const browser = openBrowser(platform, createLocks())
    const [one, other] = [browser.openTab(), browser.openTab()]
    await one.participant.join('x')
    await recordNumbers(one.participant, 1, 5)
    await one.participant.flush(patient)
    await other.participant.join('x')
    await waitUntil(() => one.participant.status.kind === 'replaced' || one.participant.status.kind)
    await Promise.all([recordNumbers(one.participant, 6, 25), recordNumbers(other.participant, 26, 45)])
    await Promise.all([one.participant.flush(patient), other.participant.flush(patient)])
    expect(platform.storedIds().toSorted()).toEqual(
      Array.from({ length: 45 }, (_, index) => `e${index + 1}`).toSorted(),
    )
    expect(platform.requests.filter(({ endpoint }) => endpoint === 'join')).toHaveLength(2)
    await expect(one.participant.discover()).rejects.toThrow('Another tab')
  })

  test('when the newer tab is closed, the older one goes on', async () => {
    const platform = await setUpPlatform()
    const browser = openBrowser(platform, createLocks())
    const [one, other] = [browser.openTab(), browser.openTab()]
    await one.participant.join('x')
    await other.participant.join('x')
    await other.participant.close()
    await recordNumbers(one.participant, 1, 3)
    await one.participant.flush(patient)
    expect(platform.storedIds()).toEqual(['e1', 'e2', 'e3'])
  })

  test('a reload finds what was not sent', async () => {
    const platform = await setUpPlatform()
    const browser = openBrowser(platform, createLocks())
    const before = browser.openTab()
    await before.participant.join('x')
    platform.mishaps.events.push('hang')
    await recordNumbers(before.participant, 1, 4)
    await before.participant.close()
    const after = browser.openTab()
    await after.participant.join('x')
    await after.participant.flush(patient)
    expect(platform.storedIds()).toEqual(['e1', 'e2', 'e3', 'e4'])
  })
})

/** With a lease row, the loss is noticed too late for this, and the older tab may join once more. */
test('a tab whose session the newer one has just taken does not take it back', async () => {
  const platform = await setUpPlatform()
  const clock = createQuickClock(1)
  const store = createIndexedDbQueue({ locks: createFakeLocks(), clock, databaseName: newId() })
  const claim = Promise.withResolvers<void>()
  const slow: QueueStore = {
    ...store,
    claimSending: (key, onChange) => claim.promise.then(() => store.claimSending(key, onChange)),
  }
  const one = setUpPerson(platform, { queueStore: store, clock })
  const other = setUpPerson(platform, { queueStore: slow, clock })
  await one.participant.join('x')
  // The newer tab has its session, which ends the older one's, and has not claimed anything yet.
  const joining = other.participant.join('x')
  await waitUntil(
    () => platform.requests.filter(({ endpoint }) => endpoint === 'join').length === 2 || 'no join',
  )
  const refused = expect(one.participant.discover()).rejects.toThrow('Another tab')
  await waitUntil(() => one.participant.status.kind === 'rejoining' || one.participant.status.kind)
  claim.resolve()
  await Promise.all([joining, refused])
  expect(platform.requests.filter(({ endpoint }) => endpoint === 'join')).toHaveLength(2)
})
