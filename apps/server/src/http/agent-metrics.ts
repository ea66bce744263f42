import type { AgentOutcome } from '@atrium/contract'
import { metrics } from '@atrium/monitoring'
import { describedMetric } from '@atrium/program'
import { Counter, Histogram, type Registry } from 'prom-client'

interface Call {
  outcome: AgentOutcome
  /** Null when nothing was asked. */
  latencyMs: number | null
  usage: { promptTokens: number; completionTokens: number } | null
}

/** R45: what is asked of models on this instance, pilots included. */
export function createAgentMetrics(registry: Registry) {
  const { agentTurns, agentTurnDuration, agentTokens } = metrics
  const registers = [registry]
  const turns = new Counter({ ...describedMetric(agentTurns), registers })
  const duration = new Histogram({ ...describedMetric(agentTurnDuration), registers })
  const tokens = new Counter({ ...describedMetric(agentTokens), registers })
  return {
    /** A model has replied, has failed, or was not asked. */
    called({ outcome, latencyMs, usage }: Call): void {
      turns.inc({ outcome })
      if (latencyMs !== null) duration.observe(latencyMs / 1_000)
      if (!usage) return
      tokens.inc({ kind: 'prompt' }, usage.promptTokens)
      tokens.inc({ kind: 'completion' }, usage.completionTokens)
    },
  }
}
