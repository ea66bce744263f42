// A bare loop with fetch: no rooms, no rules, no database.
import { setTimeout as delay } from 'node:timers/promises'
import { type ChatCompletion, modelServerPaths } from '@atrium/agent-protocol'
import { serveOrders } from '../harness/worker.ts'
import type { ModelCallsOrder, ModelCallsOutcome } from './model-calls.ts'

async function call({ baseUrl, apiKey, body }: ModelCallsOrder): Promise<number> {
  const askedAt = performance.now()
  const response = await fetch(baseUrl + modelServerPaths.chatCompletions, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body,
  })
  const { choices } = (await response.json()) as ChatCompletion
  JSON.parse(choices[0]?.message.tool_calls?.[0]?.function.arguments ?? 'nothing was called')
  return performance.now() - askedAt
}

serveOrders(async (order: ModelCallsOrder): Promise<ModelCallsOutcome> => {
  const { groups, groupSize, callsEach, thinkMs, spreadMs } = order
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  const before = process.cpuUsage()
  const playGroup = async (_: unknown, index: number) => {
    await delay((index * spreadMs) / groups)
    for (let turn = 0; turn < callsEach; turn++) {
      await delay(thinkMs)
      latenciesMs.push(...(await Promise.all(Array.from({ length: groupSize }, () => call(order)))))
    }
  }
  await Promise.all(Array.from({ length: groups }, playGroup))
  const { user, system } = process.cpuUsage(before)
  return {
    ms: performance.now() - startedAt,
    latenciesMs: new Float64Array(latenciesMs).sort(),
    cpuMicros: user + system,
  }
})
