// `npm run bench`: measures and prints the tables; --write saves them in results/ and in the pages of docs/.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runFromBundles } from '../../packages/testkit/src/bundles.ts'
import { machineFacts } from './harness/machine.ts'
import { watchOthers } from './harness/measure.ts'
import { type BenchName, benchNames, type Command, readCommand, usage } from './options.ts'
import { renderAgents } from './report/agents.ts'
import { renderConsole } from './report/console.ts'
import { renderExports } from './report/exports.ts'
import { renderMemory } from './report/memory.ts'
import { pages, sectionsOf, summaryOf, withMeasuredPart } from './report/pages.ts'
import { readRecords, writeRecord } from './report/record.ts'
import { renderEvents, renderRequests } from './report/requests.ts'
import { renderRooms } from './report/rooms.ts'
import { renderRouter } from './report/router.ts'
import { renderScaleOut } from './report/scale-out.ts'
import type { Section } from './report/section.ts'
import { renderUploads } from './report/uploads.ts'
import { benchAgentFront, renderAgentFront } from './suites/agent-front.ts'
import { benchAgents } from './suites/agents/agents.ts'
import { benchClock, renderClock } from './suites/clock.ts'
import { benchConsole } from './suites/console.ts'
import { benchEvents } from './suites/events.ts'
import { benchExports } from './suites/exports.ts'
import { benchInStep, renderInStep } from './suites/in-step.ts'
import { benchInput, renderInput } from './suites/input.ts'
import { benchLadder, renderLadder } from './suites/ladder.ts'
import { benchLargeRoom, renderLargeRoom } from './suites/large-room.ts'
import { benchMatching, renderMatching } from './suites/matching.ts'
import { benchMemory } from './suites/memory.ts'
import { benchPages, renderPages } from './suites/pages.ts'
import { benchPictureTrials, renderPictureTrials } from './suites/picture-trials.ts'
import { benchReaction, renderReaction } from './suites/reaction.ts'
import { benchDiscover, benchJoin } from './suites/requests.ts'
import { benchRooms } from './suites/rooms/rooms.ts'
import { benchRouter } from './suites/router.ts'
import { benchScaleOut } from './suites/scale-out/scale-out.ts'
import { benchUploads } from './suites/uploads.ts'

const pageNamed = (name: string) => fileURLToPath(new URL(`../../docs/${name}.md`, import.meta.url))

async function sectionOf(bench: BenchName, { engines, options }: Command): Promise<Section> {
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
    case 'reaction':
      return renderReaction(await benchReaction())
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
    case 'console':
      return renderConsole(await sequentially(engines, (engine) => benchConsole(engine, options)))
    case 'exports':
      return renderExports(await sequentially(engines, (engine) => benchExports(engine, options)))
    case 'pages':
      return renderPages(await benchPages(options))
    case 'input':
      return renderInput(await benchInput(options))
    case 'picture-trials':
      return renderPictureTrials(await benchPictureTrials(options))
    case 'large-room':
      return renderLargeRoom(await benchLargeRoom(options))
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
  await runFromBundles()
  for (const bench of command.benches) {
    const othersShare = watchOthers(machine.cores)
    const { text, findings } = await sectionOf(bench, command)
    console.log(text)
    if (!command.write) continue
    // At once, so that a run that is cut short has written what it measured.
    writeRecord({
      bench,
      args: args.join(' '),
      date: new Date().toISOString().slice(0, 10),
      machine,
      othersShare: othersShare(),
      findings: findings.filter(({ value }) => !Number.isNaN(value)),
      text: text.split('\n'),
    })
    writePages()
  }
}

function writePages(): void {
  for (const { name, benches } of pages) {
    const records = readRecords(benches)
    if (records.length === 0) continue
    const sections = sectionsOf(records)
    const measured = name === 'benchmarks' ? `${summaryOf(readRecords(benchNames))}\n${sections}` : sections
    writeFileSync(pageNamed(name), withMeasuredPart(readFileSync(pageNamed(name), 'utf8'), measured))
  }
}

run(process.argv.slice(2)).catch((error: Error) => {
  console.error(error, `\n\n${usage}`)
  process.exitCode = 1
})
