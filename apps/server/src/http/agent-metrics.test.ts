import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createAgentMetrics } from './agent-metrics.ts'

test('[R45] counts calls by outcome, the time of those that were made, and tokens', async () => {
  const registry = new Registry()
  const { called } = createAgentMetrics(registry)
  called({ outcome: 'applied', latencyMs: 700, usage: { promptTokens: 90, completionTokens: 9 } })
  called({ outcome: 'retried', latencyMs: 40_000, usage: { promptTokens: 10, completionTokens: 1 } })
  called({ outcome: 'budget', latencyMs: null, usage: null })
  const text = await registry.metrics()
  for (const line of [
    'agent_turns_total{outcome="applied"} 1',
    'agent_turns_total{outcome="retried"} 1',
    'agent_turns_total{outcome="budget"} 1',
    'agent_turn_duration_seconds_bucket{le="0.5"} 0',
    'agent_turn_duration_seconds_bucket{le="1"} 1',
    'agent_turn_duration_seconds_count 2',
    'agent_tokens_total{kind="prompt"} 100',
    'agent_tokens_total{kind="completion"} 10',
  ])
    expect(text).toContain(line)
})
