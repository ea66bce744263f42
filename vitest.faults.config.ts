import { defineConfig, mergeConfig } from 'vitest/config'
import { globalSetup, shared } from './vitest.config.ts'

/** `npm run test:faults`: everything that breaks something, with the long runs that `npm test` leaves out. */
export default mergeConfig(
  shared,
  defineConfig({
    test: {
      include: ['apps/server/test/{faults,cluster}/**/*.{test,more,fault}.ts'],
      globalSetup,
      // One after the other: what is measured here is not to be disturbed by another test.
      maxWorkers: 1,
    },
  }),
)
