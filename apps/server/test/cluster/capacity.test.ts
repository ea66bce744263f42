import { expect, test } from 'vitest'
import { watchCrowd } from './capacity-crowd.ts'

const seed = Number(process.env.TEST_SEED ?? 1)

/** A few people; `capacity.fault.ts` has the crowd. */
test.each([
  { mode: 'embedded' as const, servers: 1 },
  { mode: 'cluster' as const, servers: 2 },
])(
  '[R39,P12,W20] people who vanish hold no place, every count agrees, and resting rooms keep their deadlines ($mode)',
  async (where) => {
    const { samples } = await watchCrowd({ ...where, roomsPerPod: 2, bots: 20, seed })
    expect(samples).toBeGreaterThan(0)
  },
  600_000,
)
