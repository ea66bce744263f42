import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type EngineName, engineNames } from './harness/engines.ts'

export const benchNames = [
  'events',
  'join',
  'discover',
  'memory',
  'rooms',
  'matching',
  'router',
  'clock',
  'in-step',
  'reaction',
  'scale-out',
  'uploads',
  'ladder',
  'agent-front',
  'agents',
  'console',
  'exports',
  'pages',
  'input',
  'picture-trials',
  'large-room',
] as const
export type BenchName = (typeof benchNames)[number]

/** The size of a run. */
export interface BenchOptions {
  /** Maximum length of a round. */
  seconds: number
  rounds: number
  clients: number
  /** Number of participants; each may send 100 requests a minute. */
  sessions: number
  memoryRequests: number
  /** Participants in rooms, and their total actions per second. */
  sockets: number
  actionsPerSecond: number
  /** Bots on the largest cluster. */
  participants: number
  /** Size of an upload. */
  mebibytes: number
  /** Events of the larger experiment of the console, and of the exports. */
  events: number
  /** Trials of the block with pictures. */
  trials: number
  profileFolder?: string | undefined
  /** Another checkout of this project, whose programs take turns with ours. */
  beforeFolder?: string | undefined
}

export const defaultOptions: BenchOptions = {
  seconds: 10,
  rounds: 3,
  clients: 64,
  sessions: 2_000,
  memoryRequests: 200_000,
  sockets: 1_000,
  actionsPerSecond: 400,
  participants: 360,
  mebibytes: 512,
  events: 1_000_000,
  trials: 300,
}

export interface Command {
  benches: BenchName[]
  engines: EngineName[]
  options: BenchOptions
  /** Whether to write the results to the pages in docs/. */
  write: boolean
}

export const usage = `npm run bench -- [events] [join] [discover] [memory] [rooms] [matching] [router] [clock] [in-step] [reaction] [scale-out] [uploads] [ladder] [agent-front] [agents] [console] [exports] [pages] [input] [picture-trials] [large-room] [options]

  --engine sqlite|postgres   only this engine (both)
  --seconds <n>              length of a round, or of the film of ladder (${defaultOptions.seconds})
  --rounds <n>               rounds per server, after a warm-up round (${defaultOptions.rounds})
  --clients <n>              concurrent keep-alive clients (${defaultOptions.clients})
  --sessions <n>             participants (${defaultOptions.sessions})
  --requests <n>             requests of the memory benchmark (${defaultOptions.memoryRequests})
  --sockets <n>              participants in rooms of four (${defaultOptions.sockets}), or agents, at most 200
  --actions <n>              messages per second in all rooms (${defaultOptions.actionsPerSecond})
  --participants <n>         bots on a cluster of four pods; the same number per pod on one and two (${defaultOptions.participants})
  --mebibytes <n>            size of an upload (${defaultOptions.mebibytes})
  --events <n>               events of the larger experiment of console, and of exports (${defaultOptions.events})
  --trials <n>               trials with a picture each (${defaultOptions.trials})
  --profile <folder>         write V8 profiles of Atrium to this folder
  --before <checkout>        measure the programs of another checkout in the same run (events, join, discover, rooms, router, console)
  --write                    write the results to docs/benchmarks.md, those of scale-out to capacity.md, those of clock and in-step to playback.md;
                             benchmarks that were not run keep their earlier figures
`

export function readCommand(args: string[]): Command {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      engine: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      clients: { type: 'string' },
      sessions: { type: 'string' },
      requests: { type: 'string' },
      sockets: { type: 'string' },
      actions: { type: 'string' },
      participants: { type: 'string' },
      mebibytes: { type: 'string' },
      events: { type: 'string' },
      trials: { type: 'string' },
      profile: { type: 'string' },
      before: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  })
  return {
    benches: positionals.length === 0 ? [...benchNames] : positionals.map((name) => oneOf(benchNames, name)),
    engines: values.engine === undefined ? [...engineNames] : [oneOf(engineNames, values.engine)],
    options: {
      seconds: positive(values.seconds, defaultOptions.seconds),
      rounds: positive(values.rounds, defaultOptions.rounds),
      clients: positive(values.clients, defaultOptions.clients),
      sessions: positive(values.sessions, defaultOptions.sessions),
      memoryRequests: positive(values.requests, defaultOptions.memoryRequests),
      sockets: positive(values.sockets, defaultOptions.sockets),
      actionsPerSecond: positive(values.actions, defaultOptions.actionsPerSecond),
      participants: positive(values.participants, defaultOptions.participants),
      mebibytes: positive(values.mebibytes, defaultOptions.mebibytes),
      events: positive(values.events, defaultOptions.events),
      trials: positive(values.trials, defaultOptions.trials),
      profileFolder: values.profile,
      // Programs are started in their own folders.
      beforeFolder: values.before && resolve(values.before),
    },
    write: values.write,
  }
}

function oneOf<Name extends string>(names: readonly Name[], given: string): Name {
  const found = names.find((name) => name === given)
  if (found === undefined) throw new Error(`‘${given}’ is not one of ${names.join(', ')}`)
  return found
}

function positive(given: string | undefined, fallback: number): number {
  const value = given === undefined ? fallback : Number(given)
  if (!(value > 0)) throw new Error(`‘${given}’ is not a number above 0`)
  return value
}
