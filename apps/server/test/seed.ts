/**
 * Property tests run the same cases every time, so that a failure is a finding and not bad luck. fast-check prints the
 * seed with a failure; set TEST_SEED to try other cases.
 */
export const seeded = { seed: Number(process.env.TEST_SEED ?? 20_260_101) }
