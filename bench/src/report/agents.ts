import { engineTitles } from '../harness/engines.ts'
import { type AgentFigures, type AgentsResult, modelMs, paces } from '../suites/agents/agents.ts'
import { type Finding, findingLine } from './finding.ts'
import type { Section } from './section.ts'
import { table } from './table.ts'

const maxAboveModelMs = 50

export function renderAgents(results: AgentsResult[]): Section {
  const rows = results.flatMap(({ engine, paces }) =>
    paces.flatMap(({ pace, atrium, floor }) => [
      [`${engineTitles[engine]}, ${pace}`, 'Atrium', ...cells(atrium)],
      [`${engineTitles[engine]}, ${pace}`, 'bare loop', ...cells(floor)],
    ]),
  )
  const columns = ['turns/s', 'p50 ms', 'p95 ms', 'CPU µs/turn', 'DB CPU µs/turn', 'turns']
  const [{ agents } = { agents: 0 }] = results
  const pairs = results.flatMap(findingsOf)
  const text = `## Agents: ${agents} in rooms of four, and a model that takes ${modelMs} ms

${table(['engine, pace', 'who asks', ...columns], rows)}

${pairs.map(([finding, more]) => findingLine(finding, more)).join('\n')}
- p50 and p95 are above the model's time: from the moment a turn is due to the room's action, less ${modelMs} ms. Half the turns write a
  message and continue, half answer a question; all four agents of a room are due at the same time.
- **as people**: every agent thinks for ${paces['as people'] / 1000} s before each turn, and the rooms have begun one after the other. **at once**: no agent thinks and
  all rooms begin together, so that there are as many turns as the instance can take; a turn then waits in a queue, and the bare loop shows how much of that
  is due to the machine.
- The bare loop sends the same requests with \`fetch\` and parses the replies, without rooms, rules, records or a database.
`
  return { text, findings: pairs.map(([finding]) => finding) }
}

/** Each with what it is to be compared with. */
function findingsOf({ engine, paces }: AgentsResult): [Finding, string][] {
  return paces.flatMap(({ pace, atrium, floor }): [Finding, string][] => {
    const where = `${engineTitles[engine]}, ${pace}`
    const p95: Finding = {
      what: `p95 above the model, ${where}`,
      value: atrium.p95Ms,
      digits: 0,
      unit: 'ms',
    }
    const cpu = {
      what: `CPU, Atrium ÷ bare loop, ${where}`,
      value: atrium.cpuMicrosPerTurn / floor.cpuMicrosPerTurn,
    }
    return [
      [
        pace === 'as people' ? { ...p95, most: maxAboveModelMs } : p95,
        `the bare loop: ${floor.p95Ms.toFixed(0)} ms`,
      ],
      [cpu, ''],
    ]
  })
}

const cells = (figures: AgentFigures): string[] => [
  figures.perSecond.toFixed(0),
  figures.p50Ms.toFixed(1),
  figures.p95Ms.toFixed(1),
  figures.cpuMicrosPerTurn.toFixed(0),
  figures.databaseCpuMicrosPerTurn.toFixed(0),
  String(figures.turns),
]
