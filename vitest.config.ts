import { defineConfig } from 'vitest/config'
import { bundleAliases, threadsFromBundles } from './packages/testkit/src/bundles.ts'

/** Tests that start no programs and change nothing outside themselves. */
const quick = [
  'apps/{functions,web}/src/**/*.test.ts',
  'apps/router/src/{directory,http,limits,routing}/**/*.test.ts',
  'apps/server/src/{config,http,kernel,modules,realtime,transfer}/**/*.test.ts',
  'apps/server/src/doctor/{,judge/}*.test.ts',
  'bench/src/**/*.test.ts',
  'deploy/test/{chart*,cloud,compose,image-context,ingress,jobs,settable-keys,single-server}.test.ts',
  'packages/{agent-protocol,bots,client,contract,definition-checks,design,expressions,flow,program}/src/**/*.test.ts',
  'scripts/release/**/*.test.ts',
]
export const shared = defineConfig({
  plugins: [threadsFromBundles],
  resolve: { alias: await bundleAliases({ isWatching: !process.argv.includes('run') }) },
  test: {
    setupFiles: ['packages/testkit/src/property-seed.ts'],
    // Processes, not threads: tests start real servers, and a worker that crashes must take nothing with it.
    pool: 'forks',
    // Limits, not expectations (R41): on a machine that is busy with something else everything still passes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 240_000 } },
    allowOnly: false,
  },
})

/** One PostgreSQL for all of them, and bundles of our programs. */
export const globalSetup = ['packages/testkit/src/global-setup.ts']

/** One more than CI has cores: tests spend a quarter of their time waiting for deadlines, sockets and disks. */
export const maxWorkers = 3

/** `npm test`, the first tier: one case of every kind. What else every commit must pass has the ending `.more.ts`. */
export default defineConfig({
  test: {
    maxWorkers,
    projects: [
      {
        ...shared,
        // A process for many files: starting one and importing everything again takes longer than most of these tests.
        test: { ...shared.test, name: 'quick', include: quick, isolate: false },
      },
      {
        ...shared,
        test: {
          ...shared.test,
          name: 'whole',
          include: ['{apps,packages,bench,deploy,examples,scripts}/**/*.{test,story}.{ts,mjs}'],
          exclude: ['**/node_modules/**', ...quick],
          globalSetup,
        },
      },
    ],
  },
})
