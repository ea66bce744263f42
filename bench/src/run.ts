// `npm run bench`: measures and prints the tables; --write saves them in docs/benchmarks.md, capacity.md and playback.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { machineFacts } from './harness/machine.ts'
import { watchOthers } from './harness/measure.ts'
import { type BenchName, type Command, readCommand, usage } from './options.ts'
import { renderAgents } from './report/agents.ts'
import { renderMeasuredPart } from './report/measured-part.ts'
import { renderEvents, renderMemory, renderPage, renderRequests } from './report/report.ts'
import { renderRooms } from './report/rooms.ts'
import { renderRouter } from './report/router.ts'
import { renderScaleOut } from './report/scale-out.ts'
import { renderUploads } from './report/uploads.ts'
import { benchAgentFront, renderAgentFront } from './suites/agent-front.ts'
import { benchAgents } from './suites/agents/agents.ts'
import { benchClock, renderClock } from './suites/clock.ts'
import { benchEvents } from './suites/events.ts'
import { benchInStep, renderInStep } from './suites/in-step.ts'
import { benchLadder, renderLadder } from './suites/ladder.ts'
import { benchMatching, renderMatching } from './suites/matching.ts'
import { benchMemory } from './suites/memory.ts'
import { benchDiscover, benchJoin } from './suites/requests.ts'
import { benchRooms } from './suites/rooms/rooms.ts'
import { benchRouter } from './suites/router.ts'
import { benchScaleOut } from './suites/scale-out/scale-out.ts'
import { benchUploads } from './suites/uploads.ts'

const pageNamed = (name: string) => fileURLToPath(new URL(`../../docs/${name}.md`, import.meta.url))
/** Pages that are written by hand except for their figures. */
const ownPages: { name: string; benches: BenchName[] }[] = [
  { name: 'capacity', benches: ['scale-out'] },
  { name: 'playback', benches: ['clock', 'in-step'] },
]

async function sectionOf(bench: BenchName, { engines, options }: Command): Promise<string> {
  switch (bench) {
    case 'events':
      return renderEvents(await sequentially(engines, (engine) => benchEvents(engine, options)))
    case 'join':
      return renderRequests('join', await sequentially(engines, (engine) => benchJoin(engine, options)))
    case 'discover':
      return renderRequests(
        'discover',
        await sequentially(engines, (engine) => benchDiscover(engine, options)),
      )
    case 'memory':
      return renderMemory(await benchMemory(options))
    case 'rooms':
      return renderRooms(await benchRooms(engines, options))
    case 'matching':
      return renderMatching(await benchMatching(options))
    case 'router':
      return renderRouter(await benchRouter(options))
    case 'clock':
      return renderClock(await benchClock())
    case 'in-step':
      return renderInStep(await benchInStep())
    case 'scale-out':
      return renderScaleOut(await benchScaleOut(options))
    case 'uploads':
      return renderUploads(await benchUploads(options))
    case 'ladder':
      return renderLadder(await benchLadder(options))
    case 'agent-front':
      return renderAgentFront(await benchAgentFront(options))
    case 'agents':
      return renderAgents(await sequentially(engines, (engine) => benchAgents(engine, options)))
  }
}

async function sequentially<Item, Result>(
  items: Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await run(item))
  return results
}

async function run(args: string[]): Promise<void> {
  const command = readCommand(args)
  const machine = machineFacts() // Before we put load on it.
  const othersShare = watchOthers(machine.cores)
  const sections = new Map<BenchName, string>()
  for (const bench of command.benches) {
    const section = await sectionOf(bench, command)
    console.log(section)
    sections.set(bench, section)
  }
  if (!command.write) return
  const share = othersShare()
  for (const { name, benches } of ownPages) {
    const own = benches.flatMap((bench) => sections.get(bench) ?? [])
    for (const bench of benches) sections.delete(bench)
    if (own.length === 0) continue
    const page = readFileSync(pageNamed(name), 'utf8')
    writeFileSync(pageNamed(name), renderMeasuredPart(page, args, machine, share, own.join('\n')))
  }
  if (sections.size > 0)
    writeFileSync(
      pageNamed('benchmarks'),
      renderPage(args, machine, share, command.options, [...sections.values()]),
    )
}

run(process.argv.slice(2)).catch((error: Error) => {
  console.error(error, `\n\n${usage}`)
  process.exitCode = 1
})
