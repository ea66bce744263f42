// Loaded for every test file (vitest.config.ts) to make property tests repeatable. They try the same cases every time, so
// that a red run is a finding and not bad luck. fast-check prints the seed and path of a failure; TEST_SEED tries other
// cases, and together with TEST_PATH replays a single case: `TEST_SEED=7 TEST_PATH=12:0:1 npx vitest run <file> -t <test>`.
import fc from 'fast-check'

const { TEST_SEED, TEST_PATH } = process.env

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  seed: Number(TEST_SEED ?? 20_260_101),
  ...(TEST_PATH === undefined ? {} : { path: TEST_PATH }),
})
