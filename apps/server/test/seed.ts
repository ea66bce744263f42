/**
 * Property tests are repeatable: the same cases every time, so that a red run is a finding and not bad luck.
 * fast-check prints the seed with a failure; TEST_SEED tries other cases.
 */
export const seeded = { seed: Number(process.env.TEST_SEED ?? 20_260_101) }
