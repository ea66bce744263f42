import { expect, test } from 'vitest'
import type { AgentUse } from '../../rooms/index.ts'
import { createSpending } from './spending.ts'

const uses = (calls: number, tokens = 0): AgentUse => ({ calls, tokens, money: 0 })

/** A store whose sum is what the test says. */
function createWorld(agentBudget: { turns?: number; tokens?: number }) {
  const world = { now: 0, stored: uses(0), reads: 0 }
  const store = {
    async spent() {
      world.reads++
      return world.stored
    },
  }
  const open = createSpending(store, { now: () => world.now })
  return {
    world,
    open: (isPilot = false) => open({ experimentId: 'exp_1', isPilot, definition: { agentBudget } }),
  }
}

test('[R43,AT5] calls under way are reserved, so that agents who ask at once do not overshoot the budget', async () => {
  const { open, world } = createWorld({ turns: 3 })
  const turns = Array.from({ length: 10 }, () => open())
  const may = await Promise.all(turns.map((turn) => turn.mayAsk()))
  expect(may.filter((one) => one)).toHaveLength(3)
  expect(world.reads).toBe(1)
  // A call that was not made after all leaves its place to another.
  turns[may.indexOf(true)]?.made(uses(0))
  expect(await open().mayAsk()).toBe(true)
  expect(await open().mayAsk()).toBe(false)
})

test('[R43,AT5] what was spent here counts before the sum is read again, and only once after that', async () => {
  const { open, world } = createWorld({ tokens: 100 })
  const first = open()
  expect(await first.mayAsk()).toBe(true)
  first.made(uses(1, 60))
  first.close()
  const second = open()
  expect(await second.mayAsk()).toBe(true)
  second.made(uses(1, 39))
  // The first is in the store; the second is not yet.
  world.now = 5_000
  world.stored = uses(1, 60)
  expect(await open().mayAsk()).toBe(true)
  second.made(uses(1, 1))
  expect(await open().mayAsk()).toBe(false)
  expect(world.reads).toBe(2)
})

test('[R43] pilots end with the budget of their experiment and take nothing from it', async () => {
  const { open, world } = createWorld({ turns: 1 })
  const pilot = open(true)
  expect(await pilot.mayAsk()).toBe(true)
  expect(await pilot.mayAsk()).toBe(true)
  pilot.close()
  expect(await open().mayAsk()).toBe(true)
  expect([await pilot.mayAsk(), world.reads]).toEqual([false, 1])
})
