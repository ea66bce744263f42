import { isLongRun } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { watchCrowd } from './capacity-crowd.ts'

const seed = Number(process.env.TEST_SEED ?? 1)

/** A small version of `capacity.fault.ts`, in which places and counts are spread over instances. */
test.each([isLongRun ? { mode: 'embedded' as const, servers: 1 } : { mode: 'cluster' as const, servers: 2 }])(
  '[R39,P12,W20] people who vanish take no place, all counts agree, and resting rooms keep their deadlines ($mode)',
  async (where) => {
    const { samples } = await watchCrowd({ ...where, roomsPerPod: 2, bots: 20, seed })
    expect(samples).toBeGreaterThan(0)
  },
  600_000,
)
