// `npm run bench`: measures, prints the tables, and with --write keeps them in docs/benchmarks.md.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { benchEvents } from './events.bench.ts'
import { machineFacts } from './machine.ts'
import { benchMatching, renderMatching } from './matching.bench.ts'
import { watchOthers } from './measure.ts'
import { benchMemory } from './memory.bench.ts'
import { type BenchName, type Command, readCommand, usage } from './options.ts'
import { renderEvents, renderMemory, renderPage, renderRequests } from './report.ts'
import { benchDiscover, benchJoin } from './requests.bench.ts'
import { benchRooms } from './rooms.bench.ts'
import { renderRooms } from './rooms-report.ts'
import { benchRouter } from './router.bench.ts'
import { renderRouter } from './router-report.ts'

const page = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url))

async function sectionOf(bench: BenchName, { engines, options }: Command): Promise<string> {
  switch (bench) {
    case 'events':
      return renderEvents(await oneByOne(engines, (engine) => benchEvents(engine, options)))
    case 'join':
      return renderRequests('join', await oneByOne(engines, (engine) => benchJoin(engine, options)))
    case 'discover':
      return renderRequests('discover', await oneByOne(engines, (engine) => benchDiscover(engine, options)))
    case 'memory':
      return renderMemory(await benchMemory(options))
    case 'rooms':
      return renderRooms(await benchRooms(engines, options))
    case 'matching':
      return renderMatching(await benchMatching(options))
    case 'router':
      return renderRouter(await benchRouter(options))
  }
}

async function oneByOne<Item, Result>(
  items: Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await run(item))
  return results
}

async function run(args: string[]): Promise<void> {
  const command = readCommand(args)
  const machine = machineFacts() // Before we load it ourselves.
  const othersShare = watchOthers(machine.cores)
  const sections: string[] = []
  for (const bench of command.benches) {
    const section = await sectionOf(bench, command)
    console.log(section)
    sections.push(section)
  }
  if (command.write) writeFileSync(page, renderPage(args, machine, othersShare(), command.options, sections))
}

run(process.argv.slice(2)).catch((error: Error) => {
  console.error(error, `\n\n${usage}`)
  process.exitCode = 1
})
