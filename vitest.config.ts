import { defineConfig } from 'vitest/config'
import { bundleAliases } from './packages/testkit/src/bundles.ts'

export default defineConfig({
  resolve: { alias: await bundleAliases() },
  test: {
    include: ['{apps,packages,bench,examples,scripts}/**/*.{test,story}.{ts,mjs}'],
    setupFiles: ['packages/testkit/src/property-seed.ts'],
    globalSetup: ['packages/testkit/src/global-setup.ts'],
    // Processes, not threads: tests start real servers, and a worker that crashes must take nothing with it.
    pool: 'forks',
    // One more than CI has cores: tests spend a quarter of their time waiting for deadlines, sockets and disks.
    maxWorkers: 3,
    // Limits, not expectations (R41): on a machine that is busy with something else everything still passes.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    allowOnly: false,
  },
})
