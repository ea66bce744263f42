import { expect, test } from 'vitest'
import { createLiveFeed } from './live-feed.ts'

/** An experiment that is slow to read: each look waits for `answer`. */
function stage() {
  const asked = { looks: 0, funnels: 0, usualTimes: 0 }
  const gate = Promise.withResolvers<void>()
  const feed = createLiveFeed({
    clock: { now: () => 1_000_000 },
    rooms: { watch: async () => ({ rooms: [], hasMoreRooms: false }), wordsAfter: async () => [] },
    experiments: {
      async monitor() {
        asked.looks++
        await gate.promise
        const participants = { total: 0, active: 0, completed: 0 }
        return { participants } as Awaited<
          ReturnType<Parameters<typeof createLiveFeed>[0]['experiments']['monitor']>
        >
      },
      async funnel() {
        asked.funnels++
        return { consented: 0, placed: 0 }
      },
      async usualTimes() {
        asked.usualTimes++
        return []
      },
    },
    waitingFor: async () => [],
    onBackgroundError(error) {
      throw error
    },
  })
  return { feed, asked, answer: gate.resolve }
}

test('[RM144] a hundred who ask at once cause two looks: the one under way, and one that is newer than all of them', async () => {
  const { feed, asked, answer } = stage()
  const readings = Array.from({ length: 100 }, () => feed.read('exp_1'))
  answer()
  expect(await Promise.all(readings)).toHaveLength(100)
  expect(asked).toEqual({ looks: 2, funnels: 1, usualTimes: 1 })
})
