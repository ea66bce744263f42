// `npm run bench`: measures and prints the tables; --write saves them in docs/benchmarks.md and docs/capacity.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { machineFacts } from './harness/machine.ts'
import { watchOthers } from './harness/measure.ts'
import { type BenchName, type Command, readCommand, usage } from './options.ts'
import { renderCapacityPage } from './report/capacity.ts'
import { renderEvents, renderMemory, renderPage, renderRequests } from './report/report.ts'
import { renderRooms } from './report/rooms.ts'
import { renderRouter } from './report/router.ts'
import { renderScaleOut } from './report/scale-out.ts'
import { renderUploads } from './report/uploads.ts'
import { benchClock, renderClock } from './suites/clock.ts'
import { benchEvents } from './suites/events.ts'
import { benchLadder, renderLadder } from './suites/ladder.ts'
import { benchMatching, renderMatching } from './suites/matching.ts'
import { benchMemory } from './suites/memory.ts'
import { benchDiscover, benchJoin } from './suites/requests.ts'
import { benchRooms } from './suites/rooms/rooms.ts'
import { benchRouter } from './suites/router.ts'
import { benchScaleOut } from './suites/scale-out/scale-out.ts'
import { benchUploads } from './suites/uploads.ts'

const page = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url))
const capacityPage = fileURLToPath(new URL('../../docs/capacity.md', import.meta.url))

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
    case 'scale-out':
      return renderScaleOut(await benchScaleOut(options))
    case 'uploads':
      return renderUploads(await benchUploads(options))
    case 'ladder':
      return renderLadder(await benchLadder(options))
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
  const capacity = sections.get('scale-out')
  sections.delete('scale-out') // It has its own page.
  if (capacity !== undefined)
    writeFileSync(
      capacityPage,
      renderCapacityPage(readFileSync(capacityPage, 'utf8'), args, machine, share, capacity),
    )
  if (sections.size > 0)
    writeFileSync(page, renderPage(args, machine, share, command.options, [...sections.values()]))
}

run(process.argv.slice(2)).catch((error: Error) => {
  console.error(error, `\n\n${usage}`)
  process.exitCode = 1
})
