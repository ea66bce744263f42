import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{apps,packages,bench,examples,scripts}/**/*.{test,story}.{ts,mjs}'],
    globalSetup: ['packages/testkit/src/global-setup.ts'],
    // Processes, not threads: tests start real servers, and a worker that crashes must take nothing with it.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    allowOnly: false,
  },
})
