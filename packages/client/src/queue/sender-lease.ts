import type { Clock } from '../clock.ts'
import { newId } from '../ids.ts'
import { type Database, write } from './database.ts'
import type { SenderRight } from './queue-store.ts'

/** Background tabs have their timers throttled to one per second, so the lease lasts several of those. */
const renewEveryMs = 2_000
const leaseMs = 8_000

/** The right to send as a row that its holder renews, for browsers without Web Locks. */
export async function claimByLease(
  db: Database,
  queue: string,
  clock: Clock,
  onChange: () => void,
): Promise<SenderRight> {
  const holder = newId()
  let heldUntil = 0
  let isReleased = false
  let callOff = (): void => undefined

  async function renew(takeOver: boolean): Promise<void> {
    const wasHeld = heldUntil > clock.now()
    heldUntil = await write(db, ['leases'], async (transaction) => {
      const leases = transaction.objectStore('leases')
      const now = clock.now()
      const lease = await leases.get(queue)
      if (lease && lease.holder !== holder && lease.until > now && !takeOver) return 0
      await leases.put({ queue, holder, until: now + leaseMs })
      return now + leaseMs
    })
    if (!takeOver && wasHeld !== heldUntil > clock.now()) onChange()
  }

  function keepRenewing(): void {
    callOff = clock.after(renewEveryMs, () => {
      // A failed renewal lets the lease lapse, which stops us from sending: that is the safe side.
      renew(false)
        .catch(() => undefined)
        .finally(() => {
          if (!isReleased) keepRenewing()
        })
    })
  }

  async function giveBack(): Promise<void> {
    await write(db, ['leases'], async (transaction) => {
      const leases = transaction.objectStore('leases')
      const lease = await leases.get(queue)
      if (lease?.holder === holder) await leases.delete(queue)
    })
    db.close()
  }

  await renew(true)
  keepRenewing()
  return {
    isHeld: () => heldUntil > clock.now(),
    release() {
      isReleased = true
      heldUntil = 0
      callOff()
      giveBack().catch(() => undefined) // Safe to ignore: the lease lapses by itself.
    },
  }
}
