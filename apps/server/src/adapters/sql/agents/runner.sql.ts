import { sql } from 'kysely'
import type { AgentRunnerStore } from '../../../modules/agents/agent-runner.store.ts'
import type { Sql } from '../tables.ts'
import { createCallInserter } from './agent-rows.sql.ts'

export function createAgentRunnerStore({ engine, db }: Sql): AgentRunnerStore {
  const insert = createCallInserter(engine)
  return {
    record: async (calls) => await insert(db, calls),
    async spent(experimentId) {
      // A server that does not count: the estimate of `tokensOf`. `octet_length` does not read the text itself.
      const { rows } = await sql<{ calls: number; tokens: number; money: number }>`
        select count(c.latency_ms) as calls,
          coalesce(sum(case
            when c.prompt_tokens > 0 then c.prompt_tokens + coalesce(c.completion_tokens, 0)
            when c.credential_id is null then 0
            else (coalesce(octet_length(c.request), 0) + coalesce(octet_length(c.reply), 0)) / 4
          end), 0) as tokens,
          coalesce(sum(c.money), 0) as money
        from agent_calls c join rooms r on r.room_id = c.room_id
        where c.experiment_id = ${experimentId} and r.personas is null`.execute(db)
      const [spent] = rows
      // PostgreSQL counts in numbers that its driver returns as text.
      return {
        calls: Number(spent?.calls ?? 0),
        tokens: Number(spent?.tokens ?? 0),
        money: Number(spent?.money ?? 0),
      }
    },
  }
}
