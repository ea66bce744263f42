import { defineConfig, mergeConfig } from 'vitest/config'
import { globalSetup, maxWorkers, shared } from './vitest.config.ts'

/** `npm run test:more`: the second tier, which `.ci/run` runs after `npm test`. */
export default mergeConfig(
  shared,
  defineConfig({
    test: {
      include: ['{apps,packages,bench,deploy,examples,scripts}/**/*.more.ts'],
      globalSetup,
      maxWorkers,
    },
  }),
)
