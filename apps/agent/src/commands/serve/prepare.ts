import { secretIn } from '../../cli/environment.ts'
import { type CacheDeps, fetchToCache } from '../../cli/fetch-to-cache.ts'
import { askConsent, sayTo } from '../../cli/io.ts'
import type { EngineChoice } from '../../engines/index.ts'
import { type Hardware, inGigabytes } from '../../hardware/index.ts'
import type { Fit } from '../../presets/index.ts'
import { runProgram, stripAtriumVars } from '../../processes/index.ts'
import type { EnginePlan } from './engine-plan.ts'
import type { ServeFlags } from './flags.ts'
import { type ModelPlan, settle } from './model-plan.ts'
import { type ObtainDeps, obtainEngine } from './obtain-engine.ts'

interface Preparation extends CacheDeps {
  flags: ServeFlags
  hardware: Hardware
  installNodeLlama: typeof import('../../engines/index.ts').installNodeLlama
}

/** A model whose file and program are there, or a server elsewhere, with what the engine has to know. */
export interface PreparedModel {
  choice: EngineChoice
  ctx: number
  parallel: number
  threads?: number
  gpuLayers?: number
}

const insteadOfModel =
  'Without a connection, use a file that is here (--model <path>), or a server that runs a model (--upstream https://…/v1)'
const insteadOfProgram =
  'Without a connection, use a program that is here (--llama-server <path>, or --engine node-llama-cpp if it was installed before), or a server that runs a model (--upstream https://…/v1)'

/** llama.cpp takes as many as there are. */
const allLayers = 999

/** Fetches what is missing: first the program, which is small and may need an answer, then the model. */
export async function prepareLocal(
  model: Extract<ModelPlan, { kind: 'local' }>,
  engines: readonly EnginePlan[],
  preparation: Preparation,
): Promise<PreparedModel> {
  const { flags, hardware, io } = preparation
  const say = sayTo(io)
  const engine = await obtainEngine(engines, obtainDeps(preparation))
  const { name, source } = model
  if (model.reason !== undefined) say(model.reason)
  if (source.kind === 'download' && source.bytes !== undefined)
    say(`The model ${name} has ${inGigabytes(source.bytes)}; it is downloaded once.`)
  const modelPath =
    source.kind === 'file'
      ? source.path
      : await fetchToCache(
          { ...source, what: `the model ${name}`, magic: 'GGUF', instead: insteadOfModel },
          preparation,
        )
  const fit = model.fit ?? (await settleNow(modelPath, preparation))
  return {
    choice: { ...engine, modelPath, model: name },
    ctx: fit.ctx,
    parallel: fit.parallel,
    threads: flags.threads ?? hardware.cores,
    gpuLayers: fit.place.kind === 'gpu' ? allLayers : 0,
  }
}

/** Only the file says where it fits, and that may be the processor. */
async function settleNow(modelPath: string, { flags, hardware, io }: Preparation): Promise<Fit> {
  const { fit, reason } = await settle(modelPath, hardware, flags)
  sayTo(io)(reason)
  return fit
}

export const prepareUpstream = (
  { baseUrl, model }: Extract<ModelPlan, { kind: 'upstream' }>,
  { flags, io }: Preparation,
): PreparedModel => ({
  choice: { kind: 'upstream', baseUrl, apiKey: secretIn(io.env, 'ATRIUM_UPSTREAM_KEY'), model },
  ctx: flags.ctx,
  parallel: flags.parallel,
})

const obtainDeps = (preparation: Preparation): ObtainDeps => {
  const { flags, io, cacheFolder, hardware } = preparation
  const env = stripAtriumVars(io.env)
  return {
    env,
    platform: hardware.platform,
    mtp: flags.mtp,
    engine: flags.engine,
    say: sayTo(io),
    run: runProgram,
    installBindings: (compute) =>
      preparation.installNodeLlama(cacheFolder, {
        compute,
        say: sayTo(io),
        signal: io.signal,
        env,
      }),
    async consent(question) {
      if (flags.yes) return true
      return io.isTerminal && io.stdin !== undefined ? await askConsent(question, io) : undefined
    },
    fetchArchive: ({ url, file, sha256 }) =>
      fetchToCache(
        { url, path: `downloads/${file}`, sha256, what: file, instead: insteadOfProgram },
        preparation,
      ),
  }
}
