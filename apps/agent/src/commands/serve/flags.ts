import { readFlags, readWholeNumber } from '../../cli/flags.ts'
import { Misuse } from '../../misuse.ts'

const engineNames = ['auto', 'llama-server', 'node-llama-cpp', 'upstream'] as const
type EngineName = (typeof engineNames)[number]

export const help = (tool: string) => `Usage: ${tool} serve [flags]

Chooses a model that fits this machine, downloads it on first use, and serves it with an API key. Prints READY with the
base URL and the key once requests are answered. Press Ctrl-C to stop.

  --model <model>         a preset, a GGUF file, https://…/model.gguf, hf:owner/repository/file.gguf,
                          or a server that speaks OpenAI's API (https://…/v1); by default the preset that fits
  --port <n>              port of the server (default: 8080); 0 for any that is free
  --parallel <n>          requests at the same time (default: 8); fewer if the memory does not suffice
  --ctx <n>               tokens that a request and its answer may have (default: 32768)
  --mtp                   speculative decoding with the model's own draft layers, 1.4 to 2.3 times faster
                          according to the contract, not measured by us; Qwen3.6 only
  --cpu                   use the processor, even if there is a GPU
  --threads <n>           threads of the processor that the engine uses (default: all)
  --regenerate-key        make a new API key; the old one is no longer accepted
  --dry-run               show the hardware, the chosen model and why, and start nothing
  --host <address>        address to listen on (default: 127.0.0.1)
  --max-queue <n>         requests that may wait for a place; further ones are answered 429
  --engine <name>         ${engineNames.join(', ')} (default: auto)
  --llama-server <path>   the program to use; otherwise ATRIUM_LLAMA_SERVER, the PATH and our cache are searched
  --upstream <url>        base URL of a server that runs the model; its key is read from ATRIUM_UPSTREAM_KEY
  --yes                   download programs without asking
  --json                  print READY as one line of JSON

Exit codes: 0 stopped with Ctrl-C, 1 the engine was lost, 2 it could not start, 130 stopped before it was ready.
`

const options = {
  model: { type: 'string' },
  port: { type: 'string', default: '8080' },
  parallel: { type: 'string', default: '8' },
  ctx: { type: 'string', default: '32768' },
  host: { type: 'string', default: '127.0.0.1' },
  engine: { type: 'string', default: 'auto' },
  'llama-server': { type: 'string' },
  upstream: { type: 'string' },
  'max-queue': { type: 'string' },
  threads: { type: 'string' },
  mtp: { type: 'boolean', default: false },
  cpu: { type: 'boolean', default: false },
  'regenerate-key': { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

export interface ServeFlags {
  model: string | undefined
  port: number
  parallel: number
  ctx: number
  host: string
  engine: EngineName
  llamaServer: string | undefined
  upstream: string | undefined
  maxQueue: number | undefined
  threads: number | undefined
  mtp: boolean
  cpu: boolean
  regenerateKey: boolean
  dryRun: boolean
  yes: boolean
  json: boolean
  help: boolean
}

/** More than an engine can have in one process. */
const maxParallel = 256
const contexts = { min: 512, max: 1_048_576 } as const

export function readServeFlags(args: string[], env: NodeJS.ProcessEnv): ServeFlags {
  // R46: it was there in one release, so scripts may still have it.
  if (args.some((arg) => /^--no-thinking(=|$)/.test(arg)))
    throw new Misuse(
      'serve has no flag --no-thinking any more: v0.1.2 had it, and v0.1.3 removed it. Leave it out.',
    )
  const values = readFlags('serve', args, options, env)
  const engine = engineNames.find((name) => name === values.engine)
  if (engine === undefined)
    throw new Misuse(`--engine is one of ${engineNames.join(', ')}, not “${values.engine}”.`)
  if (!/^[\w.:-]{1,255}$/.test(values.host))
    throw new Misuse(
      `--host is an address of this machine, such as 127.0.0.1 or 0.0.0.0, not “${values.host}”.`,
    )
  return {
    model: values.model,
    port: readWholeNumber('port', values.port, 0, 65_535),
    parallel: readWholeNumber('parallel', values.parallel, 1, maxParallel),
    ctx: readWholeNumber('ctx', values.ctx, contexts.min, contexts.max),
    host: values.host,
    engine,
    llamaServer: values['llama-server'],
    upstream: values.upstream,
    maxQueue: optionalNumber('max-queue', values['max-queue'], 0, 100_000),
    threads: optionalNumber('threads', values.threads, 1, 1_024),
    mtp: values.mtp,
    cpu: values.cpu,
    regenerateKey: values['regenerate-key'],
    dryRun: values['dry-run'],
    yes: values.yes,
    json: values.json,
    help: values.help,
  }
}

const optionalNumber = (flag: string, text: string | undefined, min: number, max: number) =>
  text === undefined ? undefined : readWholeNumber(flag, text, min, max)
