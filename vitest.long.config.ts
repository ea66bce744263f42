import { globSync, readFileSync } from 'node:fs'
import { defineConfig, mergeConfig } from 'vitest/config'
import { globalSetup, shared } from './vitest.config.ts'

const folders = '{apps,packages,bench,deploy,examples,scripts}'

/** Stories that `npm test` tells in one mode or on one engine, or with fewer sizes and seeds. */
const hasMoreToTell = /\b(describeInOneMode|describeOnOneEngine|isLongRun)\b/
const toldInPart = globSync(`${folders}/**/*.{test,story,more}.ts`, {
  exclude: ['**/node_modules/**'],
}).filter((path) => hasMoreToTell.test(readFileSync(path, 'utf8')))

/** `npm run test:long`: what takes too long for `npm test`, such as the same stories on more engines, sizes and seeds. */
export default mergeConfig(
  shared,
  defineConfig({
    test: {
      include: [`${folders}/**/*.long.ts`, ...toldInPart],
      globalSetup,
      // With it, `describeInOneMode` takes the mode that `npm test` leaves out.
      env: { ATRIUM_TEST_LONG: 'true' },
      maxWorkers: 2,
    },
  }),
)
