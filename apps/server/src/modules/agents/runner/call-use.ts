import type { AgentCall, AgentUse } from '../../rooms/index.ts'
import type { ModelUsage } from '../providers/provider.ts'

/** A call before it is known what becomes of it. */
export type OpenCall = Omit<AgentCall, 'outcome' | 'error'>

export const noUse: AgentUse = { calls: 0, tokens: 0, money: 0 }

export const addUses = (...uses: readonly AgentUse[]): AgentUse =>
  uses.reduce(
    (sum, use) => ({
      calls: sum.calls + use.calls,
      tokens: sum.tokens + use.tokens,
      money: sum.money + use.money,
    }),
    noUse,
  )

/** What calls count for in budgets. A script is asked for nothing but a turn. */
export const useOf = (calls: readonly OpenCall[]): AgentUse =>
  addUses(
    ...calls.map((call) => {
      const { promptTokens, completionTokens } = call.credentialId === null ? noTokens : tokensOf(call)
      return {
        calls: call.latencyMs === null ? 0 : 1,
        tokens: promptTokens + completionTokens,
        money: call.money,
      }
    }),
  )

const noTokens: ModelUsage = { promptTokens: 0, completionTokens: 0 }
/** Usual for English; the store of the runner estimates with the same number. */
const bytesPerToken = 4

/** As the server counts them; estimated when it does not, because a budget would otherwise never be spent. */
export function tokensOf({
  usage,
  request,
  reply,
}: Pick<OpenCall, 'usage' | 'request' | 'reply'>): ModelUsage {
  if (isCounted(usage)) return usage
  return { promptTokens: estimate(request), completionTokens: estimate(reply) }
}

/** No prompt is empty: a server that says so does not count. */
export const isCounted = (usage: ModelUsage | null): usage is ModelUsage =>
  usage !== null && usage.promptTokens > 0

const estimate = (text: string | null): number => Math.floor(Buffer.byteLength(text ?? '') / bytesPerToken)
