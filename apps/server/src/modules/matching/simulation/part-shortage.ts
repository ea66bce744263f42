import type { DryRun } from '@atrium/contract'
import type { WaitingPerson } from '../../../ports/waiting-queue.ts'
import type { MatchingSettings } from '../matching-settings.ts'
import { partsOf } from '../proposal/attributes.ts'

/** M31: watches how many people of each part wait, and for how long those are too few. */
export function createShortage(compose: MatchingSettings['compose']) {
  const parts = compose.map(({ when, count }) => ({ when, count, waiting: 0, people: 0, shortMs: 0 }))
  let waiting = 0
  let waitedMs = 0
  let since = 0

  function changeBy(person: WaitingPerson, by: 1 | -1): void {
    waiting += by
    const fits = partsOf(person)
    for (const [index, part] of parts.entries()) if ((fits & (1 << index)) !== 0) part.waiting += by
  }

  return {
    /** The time until now, in which nothing has changed. */
    pass(now: number): void {
      const ms = waiting === 0 ? 0 : now - since
      waitedMs += ms
      for (const part of parts) if (part.waiting < part.count) part.shortMs += ms
      since = now
    },
    arrived(person: WaitingPerson): void {
      changeBy(person, 1)
      const fits = partsOf(person)
      for (const [index, part] of parts.entries()) if ((fits & (1 << index)) !== 0) part.people += 1
    },
    gone: (person: WaitingPerson): void => changeBy(person, -1),
    report: (): DryRun['parts'] =>
      parts.map(({ when, count, people, shortMs }) => ({
        ...{ when, count, people },
        shortShare: waitedMs === 0 ? 0 : Math.round((1_000 * shortMs) / waitedMs) / 1_000,
      })),
  }
}
