import { engineTitles } from '../harness/engines.ts'
import { peoplePerRoom } from '../load/room-load.ts'
import type { DurableResult } from '../suites/rooms/durable.ts'
import { type Finding, findingLine } from './finding.ts'
import type { Section } from './section.ts'
import { table } from './table.ts'

const maxCpuToFloor = 2.5
/** Of one action, with a thousand sockets and 400 actions a second on SQLite. */
const maxMicrosPerAction = 500

type PaceResult = DurableResult['paces'][number]

/** Durable actions of rooms on one engine, beside the floor. */
export function renderDurable(result: DurableResult): Section {
  const { engine, sockets, paces } = result
  const rows = paces.flatMap(({ pace, targets }) =>
    targets.map((target) => [
      `${titleOf(pace, result)}, ${target.name}`,
      target.actionsPerSecond.toFixed(0),
      target.p50Ms.toFixed(1),
      target.p99Ms.toFixed(1),
      target.cpuMicrosPerAction.toFixed(0),
      target.databaseCpuMicrosPerAction.toFixed(0),
      String(target.actions),
    ]),
  )
  const head = ['', 'actions/s', 'ack p50 ms', 'ack p99 ms', 'CPU µs/action', 'DB CPU µs/action', 'actions']
  const findings = paces.flatMap((pace) => findingsOf(pace, result))
  const text = `### Durable actions: ${engineTitles[engine]}, ${sockets} sockets in rooms of ${peoplePerRoom}

${table(head, rows)}

${findings.map(([finding, more]) => findingLine(finding, more)).join('\n')}
- *floor* is a bare \`ws\` server that writes the same rows of the log and of the participant's record, at the same pace and in one
  transaction for all messages that have arrived, and then sends the same five frames. On SQLite it writes in its own process,
  because a thread would cost more CPU. *As fast as it goes* has one message of every room under way.
`
  return { text, findings: findings.map(([finding]) => finding) }
}

const titleOf = (pace: PaceResult['pace'], { perSecond }: DurableResult): string =>
  pace === 'saturated' ? 'as fast as it goes' : `${perSecond} actions/s`

/** Each with what is to be said about it. */
function findingsOf(
  { pace, targets, cpuToFloor, cpuToFloorByRound }: PaceResult,
  result: DurableResult,
): [Finding, string][] {
  const where = `${engineTitles[result.engine]}, ${titleOf(pace, result)}`
  const ratio: Finding = { what: `CPU per durable action, Atrium ÷ floor, ${where}`, value: cpuToFloor }
  const cost: Finding = {
    what: `CPU per durable action with its deliveries, without the database, ${where}`,
    value: targets.find(({ name }) => name !== 'floor')?.cpuMicrosPerAction ?? Number.NaN,
    digits: 0,
    unit: 'µs',
  }
  const isJudged = pace === 'paced' && result.engine === 'sqlite'
  return [
    [
      pace === 'saturated' ? { ...ratio, most: maxCpuToFloor } : ratio,
      `rounds: ${cpuToFloorByRound.map((round) => round.toFixed(2)).join(', ')}`,
    ],
    [isJudged ? { ...cost, most: maxMicrosPerAction } : cost, ''],
  ]
}
