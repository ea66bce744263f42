import { defineConfig, mergeConfig } from 'vitest/config'
import { globalSetup, shared } from './vitest.config.ts'

/** `npm run test:long`: what takes too long for `npm test`, such as the same stories on more engines, sizes and seeds. */
export default mergeConfig(
  shared,
  defineConfig({
    test: {
      include: ['{apps,packages,bench,deploy,examples,scripts}/**/*.long.ts'],
      globalSetup,
      // `describeInOneMode` runs stories in the mode that `npm test` leaves out.
      env: { ATRIUM_TEST_LONG: 'true' },
      maxWorkers: 2,
    },
  }),
)
