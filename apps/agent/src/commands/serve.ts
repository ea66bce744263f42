import { invocation } from '../cli/environment.ts'
import { exitCodes, type Io, sayTo } from '../cli/io.ts'
import type { DownloadLimits } from '../download/index.ts'
import type { Engine } from '../engines/engine.ts'
import { closeFolder, expectOwnFolder, userFolders } from '../files/index.ts'
import type { Front, FrontEntry, FrontOptions } from '../front/index.ts'
import { detectHardware, type Hardware, sourcesOfThisMachine } from '../hardware/index.ts'
import { readAddress, readOrCreateKey, rememberAddress } from '../keys/index.ts'
import { Misuse } from '../misuse.ts'
import { oneLine } from '../one-line.ts'
import { announce } from './serve/announce.ts'
import { describePlan, planAsJson, speedNote } from './serve/describe.ts'
import { type EnginePlan, planEngines } from './serve/engine-plan.ts'
import { help, readServeFlags, type ServeFlags } from './serve/flags.ts'
import { type LlamaBuild, llamaBuildFor } from './serve/llama-builds.ts'
import { isElsewhere, planModel } from './serve/model-plan.ts'
import { expectFreePort } from './serve/port.ts'
import { type PreparedModel, prepareLocal, prepareUpstream } from './serve/prepare.ts'

/** What tests replace: the machine, and what runs the model and answers. */
export interface ServeDeps {
  detect(env: NodeJS.ProcessEnv): Promise<Hardware>
  buildFor(hardware: Hardware): LlamaBuild | undefined
  installNodeLlama: typeof import('../engines/index.ts').installNodeLlama
  openEngine: typeof import('../engines/index.ts').openEngine
  startFront(options: FrontOptions): Promise<Pick<Front, 'address' | 'stop'>>
  downloadLimits?: Partial<DownloadLimits>
}

const realDeps: ServeDeps = {
  detect: (env) => detectHardware(sourcesOfThisMachine(env)),
  buildFor: llamaBuildFor,
  // Loaded when needed: --help and --dry-run need none of them.
  installNodeLlama: async (...args) => (await import('../engines/index.ts')).installNodeLlama(...args),
  openEngine: async (...args) => (await import('../engines/index.ts')).openEngine(...args),
  startFront: async (options) => (await import('../front/index.ts')).startFront(options),
}

/** Serves a model until the operator stops it. */
export async function runServe(args: string[], io: Io, deps: ServeDeps = realDeps): Promise<number> {
  const flags = readServeFlags(args, io.env)
  if (flags.help) {
    io.stdout.write(help(invocation(io.env)))
    return exitCodes.ok
  }
  const folders = userFolders(io.env)
  const detected = await deps.detect(io.env)
  const hardware = flags.cpu ? withoutGpus(detected) : detected
  // Days of a study on the processor, because nobody noticed that the driver was gone, would be worse than an error.
  const trouble = isElsewhere(flags) || hardware.gpus.length > 0 ? undefined : hardware.unusableGpu
  if (trouble !== undefined && !flags.dryRun) throw new Misuse(trouble)
  const model = await planModel(flags, hardware)
  const isLocal = model.kind === 'local'
  const say = sayTo(io)
  // Before programs are looked for in it: another user of this machine may have put some there.
  if (isLocal && flags.dryRun) await expectOwnFolder(folders.cache)
  else if (isLocal) await closeFolder(folders.cache, say)
  const engines: EnginePlan[] = isLocal
    ? await planEngines(flags, { ...deps, env: io.env, cacheFolder: folders.cache, hardware })
    : []
  if (flags.dryRun) {
    const described = { hardware, model, engine: engines[0], folders }
    io.stdout.write(flags.json ? `${await planAsJson(described)}\n` : await describePlan(described))
    return trouble === undefined ? exitCodes.ok : exitCodes.misused
  }
  for (const warning of [...hardware.warnings, ...speedNote(model, hardware)]) say(warning)
  if (flags.port !== 0) await expectFreePort(flags.host, flags.port, await readAddress(folders.config))
  const apiKey = await readOrCreateKey({ folder: folders.config, regenerate: flags.regenerateKey, say })
  const { installNodeLlama, downloadLimits } = deps
  const preparation = { flags, io, cacheFolder: folders.cache, hardware, installNodeLlama, downloadLimits }
  const prepared = isLocal
    ? await prepareLocal(model, engines, preparation)
    : prepareUpstream(model, preparation)
  return await serve(prepared, { apiKey, configFolder: folders.config }, flags, io, deps)
}

const withoutGpus = ({ unusableGpu: _, ...hardware }: Hardware): Hardware => ({
  ...hardware,
  gpus: [],
  warnings: [],
})

/** Whatever happens, everything that was started is stopped: first what takes requests, then what answers them. */
async function serve(
  { choice, ctx, parallel, threads, gpuLayers }: PreparedModel,
  { apiKey, configFolder }: { apiKey: string; configFolder: string },
  flags: ServeFlags,
  io: Io,
  deps: ServeDeps,
): Promise<number> {
  io.signal.throwIfAborted()
  const { host, port, maxQueue, mtp } = flags
  const { signal, env } = io
  const options = { contextTokens: ctx, parallel, mtp, threads, gpuLayers, say: sayTo(io), signal, env }
  const engine = await deps.openEngine(choice, options)
  try {
    const queue = maxQueue === undefined ? {} : { queueLimit: maxQueue }
    const log = createRequestLog(sayTo(io))
    const front = await deps.startFront({ engine, apiKey, host, port, log, ...queue })
    try {
      // Nobody can connect to “every address”.
      const baseUrl = `${front.address.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//127.0.0.1')}/v1`
      const forget = await remember(configFolder, baseUrl, sayTo(io))
      try {
        io.signal.throwIfAborted()
        announce({ baseUrl, engine, choice, apiKey }, flags, io)
        return await untilStopped(engine, io)
      } finally {
        await forget()
      }
    } finally {
      await front.stop()
    }
  } finally {
    await engine.stop()
  }
}

/** Spares the operator two flags of `verify`: no reason to end a server that is ready. */
const remember = (
  folder: string,
  baseUrl: string,
  say: (text: string) => void,
): Promise<() => Promise<void>> =>
  rememberAddress(folder, baseUrl).catch((error: unknown) => {
    say(`${(error as Error).message} Until then, verify needs --base-url and --api-key.`)
    return async () => undefined
  })

/** Until Ctrl-C, or until the engine is gone. */
async function untilStopped(engine: Engine, io: Io): Promise<number> {
  const stopped = new Promise<undefined>((resolve) => {
    io.signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  const lost = await Promise.race([engine.lost, stopped])
  if (lost === undefined) return exitCodes.ok
  sayTo(io)(lost)
  return exitCodes.failed
}

/** Tells the operator about requests that failed because of the engine or of us. Others are the clients' business. */
export const createRequestLog =
  (say: (text: string) => void) =>
  ({ method, route, status, code, ms, fault }: FrontEntry): void => {
    if (status >= 500)
      say(`${method} ${route ?? 'unknown route'}: ${status} ${code}, after ${Math.round(ms)} ms`)
    if (fault !== undefined)
      say(fault instanceof Error ? (fault.stack ?? fault.message) : oneLine(String(fault)))
  }
