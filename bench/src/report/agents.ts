import { type AgentFigures, type AgentsResult, modelMs, paces } from '../suites/agents/agents.ts'
import { engineTitles, table, verdict } from './report.ts'

const maxAboveModelMs = 50

export function renderAgents(results: AgentsResult[]): string {
  const rows = results.flatMap(({ engine, paces }) =>
    paces.flatMap(({ pace, atrium, floor }) => [
      [`${engineTitles[engine]}, ${pace}`, 'Atrium', ...cells(atrium)],
      [`${engineTitles[engine]}, ${pace}`, 'bare loop', ...cells(floor)],
    ]),
  )
  const columns = ['turns/s', 'p50 ms', 'p95 ms', 'CPU µs/turn', 'DB CPU µs/turn', 'turns']
  const [{ agents } = { agents: 0 }] = results
  return `## Agents: ${agents} in rooms of four, and a model that takes ${modelMs} ms

${table(['engine, pace', 'who asks', ...columns], rows)}

${results.map(sentences).join('\n')}
- p50 and p95 are above the model's time: from the moment a turn is due to the room's action, less ${modelMs} ms. Half the turns write a
  message and continue, half answer a question; all four agents of a room are due at the same time.
- **as people**: every agent thinks for ${paces['as people'] / 1000} s before each turn, and the rooms have begun one after the other. **at once**: no agent thinks and
  all rooms begin together, so that there are as many turns as the instance can take; a turn then waits in a queue, and the bare loop shows how much of that
  is due to the machine.
- The bare loop sends the same requests with \`fetch\` and parses the replies, without rooms, rules, records or a database.
`
}

function sentences({ engine, paces }: AgentsResult): string {
  return paces
    .map(({ pace, atrium, floor }) => {
      const ratio = (atrium.cpuMicrosPerTurn / floor.cpuMicrosPerTurn).toFixed(2)
      const compared =
        pace === 'as people'
          ? `target ≤ ${maxAboveModelMs}: ${verdict(atrium.p95Ms <= maxAboveModelMs)}`
          : `the bare loop: ${floor.p95Ms.toFixed(0)} ms`
      return `- ${engineTitles[engine]}, ${pace}: p95 **${atrium.p95Ms.toFixed(0)} ms** above the model (${compared}); CPU, Atrium ÷ bare loop: **${ratio}**`
    })
    .join('\n')
}

const cells = (figures: AgentFigures): string[] => [
  figures.perSecond.toFixed(0),
  figures.p50Ms.toFixed(1),
  figures.p95Ms.toFixed(1),
  figures.cpuMicrosPerTurn.toFixed(0),
  figures.databaseCpuMicrosPerTurn.toFixed(0),
  String(figures.turns),
]
