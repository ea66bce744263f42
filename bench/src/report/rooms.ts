import { engineTitles } from '../harness/engines.ts'
import { peoplePerRoom } from '../load/room-load.ts'
import type { BroadcastResult } from '../suites/rooms/broadcast.ts'
import type { CrowdResult } from '../suites/rooms/crowd.ts'
import type { ReducerResult } from '../suites/rooms/reducer.ts'
import type { RoomsResult } from '../suites/rooms/rooms.ts'
import type { TextsResult } from '../suites/rooms/texts.ts'
import type { Memory } from '../targets/responses.ts'
import { renderDurable } from './durable.ts'
import { type Finding, findingLine } from './finding.ts'
import type { Section } from './section.ts'
import { table } from './table.ts'

const maxCpuToRaw = 1.7
/** R40. */
const maxTurnMs = 100

export function renderRooms({ broadcast, durables, crowds, reducer, texts }: RoomsResult): Section {
  const toRaw: Finding = {
    what: "CPU per delivery, Atrium's broadcast ÷ raw ws",
    value: broadcast.cpuToRaw,
    most: maxCpuToRaw,
  }
  const longestTurn: Finding = {
    what: 'longest turn of the event loop while a group of 50 answers at once, ms of CPU time',
    value: texts.longestTurnMs,
    most: maxTurnMs,
  }
  const durable = durables.map(renderDurable)
  const text = `## Rooms of four

${renderBroadcast(broadcast, toRaw)}
${durable.map(({ text }) => text).join('\n')}
${renderCrowds(crowds)}
${renderMemory(crowds)}
${renderReducer(reducer)}
${renderTexts(texts, longestTurn)}`
  return { text, findings: [toRaw, longestTurn, ...durable.flatMap(({ findings }) => findings)] }
}

function renderBroadcast({ rooms, targets, cpuToRawByRound }: BroadcastResult, toRaw: Finding): string {
  const rows = targets.map(({ name, deliveries, cpuMicrosPerDelivery }) => [
    name,
    cpuMicrosPerDelivery.toFixed(1),
    (cpuMicrosPerDelivery * peoplePerRoom).toFixed(1),
    String(deliveries),
  ])
  return `### Broadcast: ${rooms} rooms, every message to ${peoplePerRoom} sockets

${table(['server', 'CPU µs/delivery', 'CPU µs/message', 'deliveries'], rows)}

${findingLine(toRaw, `rounds: ${cpuToRawByRound.map((ratio) => ratio.toFixed(2)).join(', ')}`)}
- *raw ws* serialises the event once and sends it to each socket. *Broadcast* is Atrium's socket server and namespace with
  the same event, without the log. *Durable action* is the real server on SQLite: the message is received, checked,
  reduced, written to the log and the participant's record, acknowledged, and broadcast to the room.
`
}

function renderCrowds(crowds: CrowdResult[]): string {
  const [first] = crowds
  const rows = crowds.map((crowd) => [
    titleOf(crowd),
    crowd.actionsPerSecond.toFixed(0),
    ...[crowd.broadcast.p50Ms, crowd.broadcast.p99Ms].map((ms) => ms.toFixed(1)),
    ...[crowd.acknowledged.p50Ms, crowd.acknowledged.p99Ms].map((ms) => ms.toFixed(1)),
    crowd.cpuMicrosPerAction.toFixed(0),
    crowd.databaseCpuMicrosPerAction.toFixed(0),
    crowd.cpuMicrosPerConnection.toFixed(0),
    (crowd.idleCores * 100).toFixed(1),
    String(crowd.actions),
  ])
  const head = [
    'engine',
    'actions/s',
    'broadcast p50 ms',
    'broadcast p99 ms',
    'ack p50 ms',
    'ack p99 ms',
    'CPU µs/action',
  ]
  return `### One instance with ${first?.sockets ?? 0} sockets in ${first?.rooms ?? 0} rooms

${table([...head, 'DB CPU µs/action', 'CPU µs/connection', 'idle CPU %', 'actions'], rows)}

- Broadcast: from sending a message to its arrival at another participant of the room. Ack: to its acknowledgement, when
  it is durable. A refused, lost or unacknowledged message fails the run. Idle: what the sockets cost when nobody acts.
- The more actions arrive at once, the less each costs: those that wait for the disk together share one commit.
`
}

const titleOf = ({ engine, isBefore }: Pick<CrowdResult, 'engine' | 'isBefore'>): string =>
  engineTitles[engine] + (isBefore ? ', before' : '')

function renderMemory(crowds: CrowdResult[]): string {
  const kib = (from: Memory, to: Memory, count: number, of: keyof Memory) =>
    ((to[of] - from[of]) / 1024 / count).toFixed(1)
  const mib = ({ rssBytes, heapUsedBytes }: Memory) =>
    `${(rssBytes / 2 ** 20).toFixed(0)} / ${(heapUsedBytes / 2 ** 20).toFixed(0)}`
  const rows = crowds.map(({ rooms, sockets, memory, ...crowd }) => [
    titleOf(crowd),
    ...[memory.joined, memory.rooms, memory.sockets, memory.talked].map(mib),
    kib(memory.joined, memory.rooms, rooms, 'heapUsedBytes'),
    kib(memory.rooms, memory.sockets, sockets, 'heapUsedBytes'),
    kib(memory.rooms, memory.sockets, sockets, 'rssBytes'),
  ])
  const stages = ['joined', 'with rooms', 'with sockets', 'after the chat']
  const head = ['engine', ...stages, 'heap KiB/room', 'heap KiB/socket', 'RSS KiB/socket']
  return `### Memory per room and per socket (RSS / used heap in MiB, after a garbage collection)

${table(head, rows)}
`
}

const renderReducer = ({ reducedPerSecond, replayedPerSecond, actionsPerGame, actions }: ReducerResult) =>
  `### Reducer: a game of four over 20 rounds, ${actionsPerGame} actions

${table(
  ['', 'actions per CPU second'],
  [
    ['reduce', reducedPerSecond.toFixed(0)],
    ['replay from the log', replayedPerSecond.toFixed(0)],
  ],
)}

- A quarter of the actions are responses, half are messages, a quarter signal readiness; ${actions} in total. A replay also parses each action.
`

const renderTexts = (
  { people, values, answers, msPerAnswer, longestTurnMs }: TextsResult,
  longestTurn: Finding,
): string =>
  `### Values in texts: a group of ${people}, ${values} lists of what the others gave

${table(
  ['ms per answer', 'longest turn of the event loop, ms', 'answers'],
  [[msPerAnswer.toFixed(2), longestTurnMs.toFixed(1), String(answers)]],
)}

${findingLine(longestTurn)}
- Everybody answers at once, and each answer changes the page of everybody else. Pages that would be replaced before they could be read are not sent.
`
