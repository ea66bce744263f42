import { defineConfig, mergeConfig } from 'vitest/config'
import usual from './vitest.config.ts'

/** `npm run test:faults`: everything that breaks something, with the long runs that `npm test` leaves out. */
export default mergeConfig(
  { ...usual, test: { ...usual.test, include: [] } },
  defineConfig({
    test: {
      include: ['apps/server/test/{faults,cluster}/**/*.{test,fault}.ts'],
      // One after the other: what is measured here is not to be disturbed by another test.
      maxWorkers: 1,
    },
  }),
)
