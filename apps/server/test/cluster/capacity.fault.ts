import { expect, test } from 'vitest'
import { watchCrowd } from './capacity-crowd.ts'

const runs = Number(process.env.CAPACITY_RUNS ?? 20)
const firstSeed = Number(process.env.TEST_SEED ?? 1)
const crowds = [
  { mode: 'embedded' as const, servers: 1 },
  { mode: 'cluster' as const, servers: 3 },
].flatMap((where) => Array.from({ length: runs }, (_, run) => ({ ...where, seed: firstSeed + run })))

test.each(crowds)(
  '[R39,P12,W20] half of 200 people vanish, with five rooms per instance: no group waits while a place is free, every count agrees at every sample, all deadlines of resting rooms are kept ($mode, seed $seed)',
  async (crowd) => {
    const { samples, dues } = await watchCrowd({ ...crowd, roomsPerPod: 5, bots: 200 })
    console.log(`${crowd.mode}, seed ${crowd.seed}: ${samples} samples, ${dues} deadlines of resting rooms`)
    expect(samples).toBeGreaterThan(0)
    expect(dues).toBeGreaterThan(0)
  },
  1_800_000,
)
