import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../kernel/clock.ts'
import { type AgentUse, type AgentView, isBudgetSpent } from '../../rooms/index.ts'
import type { AgentRunnerStore } from '../agent-runner.store.ts'
import { addUses, noUse } from './call-use.ts'

/** Other instances spend as well, so the sum is read again after this long. */
const readEveryMs = 5_000
const maxExperiments = 1_000

interface Reading {
  readAt: number
  spent: Promise<AgentUse>
}

/** As much of a turn as the budget of its experiment needs. */
type Spender = Pick<AgentView, 'experimentId' | 'isPilot'> & {
  definition: Pick<AgentView['definition'], 'agentBudget'>
}
type Budget = NonNullable<Spender['definition']['agentBudget']>

interface Account {
  reading: Reading | undefined
  /** Of turns that have ended here since the sum was last read. */
  since: AgentUse
  /** Turns under way, with the call that each is about to make. */
  open: Set<{ use: AgentUse }>
}

export interface TurnSpending {
  /** Whether the budget allows for another call, which is then reserved until `made`. */
  mayAsk(): Promise<boolean>
  /** Replaces the reservation with what the call has used. */
  made(use: AgentUse): void
  /** The calls of the turn are in the store. */
  close(): void
}

/**
 * R43: keeps all rooms of an experiment together within its budget. What this instance spends counts at once; what others
 * spend, after a few seconds.
 */
export function createSpending(store: Pick<AgentRunnerStore, 'spent'>, clock: Clock) {
  const accounts = new LRUCache<string, Account>({ max: maxExperiments })

  function accountOf(experimentId: string): Account {
    const account = accounts.get(experimentId) ?? { reading: undefined, since: noUse, open: new Set() }
    accounts.set(experimentId, account)
    return account
  }

  function read(experimentId: string, account: Account): Reading {
    const { reading } = account
    if (reading && clock.now() - reading.readAt < readEveryMs) return reading
    const next: Reading = { readAt: clock.now(), spent: store.spent(experimentId) }
    account.reading = next
    account.since = noUse
    next.spent.catch(() => {
      if (account.reading === next) account.reading = undefined
    })
    return next
  }

  /** Nothing is awaited between the sum and the reservation, so that no two turns reserve the same call. */
  async function reserve(experimentId: string, account: Account, turn: { use: AgentUse }, budget: Budget) {
    for (;;) {
      const reading = read(experimentId, account)
      const spent = await reading.spent
      // Another turn may have read again, and `since` belongs to that sum.
      if (account.reading !== reading) continue
      const underWay = [...account.open].map(({ use }) => use)
      if (isBudgetSpent(addUses(spent, account.since, ...underWay), { budget })) return false
      turn.use = addUses(turn.use, oneCall)
      return true
    }
  }

  /** A pilot stops with the budget of its experiment, but takes nothing from it. */
  return ({ experimentId, isPilot, definition: { agentBudget: budget } }: Spender): TurnSpending => {
    if (!budget) return unlimited
    const account = accountOf(experimentId)
    const turn = { use: noUse }
    if (!isPilot) account.open.add(turn)
    return {
      mayAsk: () => reserve(experimentId, account, turn, budget),
      made(use) {
        turn.use = addUses(turn.use, use, { ...noUse, calls: -oneCall.calls })
      },
      close() {
        if (account.open.delete(turn)) account.since = addUses(account.since, turn.use)
      },
    }
  }
}

const oneCall: AgentUse = { calls: 1, tokens: 0, money: 0 }
const unlimited: TurnSpending = { mayAsk: async () => true, made: () => undefined, close: () => undefined }
