import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { type Hardware, inExactGibibytes } from '../../hardware/index.ts'
import { Misuse } from '../../misuse.ts'
import {
  bestFit,
  choosePreset,
  cpuPlace,
  type Fit,
  gpuPlace,
  type ModelSize,
  minBytes,
  noSuchPreset,
  type Preset,
  parseModelReference,
  presets,
  readGgufFacts,
  sizeOf,
  upstreamUrl,
  urlOf,
} from '../../presets/index.ts'
import type { ServeFlags } from './flags.ts'

export type ModelPlan =
  | { kind: 'upstream'; baseUrl: string; model: string | undefined }
  /** `fit` is known before the download for presets, and for others once their file is there. */
  | { kind: 'local'; name: string; source: ModelSource; fit?: Fit; reason?: string; preset?: Preset }

type Wish = Pick<ServeFlags, 'model' | 'upstream' | 'engine' | 'ctx' | 'parallel' | 'mtp'>

/** The model runs on another server: this machine's hardware does not matter. */
export const isElsewhere = ({ upstream, model }: Pick<Wish, 'upstream' | 'model'>): boolean =>
  upstream !== undefined || (model !== undefined && parseModelReference(model).kind === 'upstream')

/** What is going to be served. Nothing is downloaded or started yet. */
export async function planModel(wish: Wish, hardware: Hardware): Promise<ModelPlan> {
  const { model, upstream } = wish
  if (upstream !== undefined) return planUpstream(upstreamUrl(upstream), model, wish)
  if (model === undefined && wish.engine === 'upstream')
    throw new Misuse('--engine upstream needs the base URL of the server: --upstream https://…/v1.')
  if (model === undefined) return planPreset(hardware, wish)
  const reference = parseModelReference(model)
  switch (reference.kind) {
    case 'preset':
      return planNamed(reference.preset, hardware, wish)
    case 'upstream':
      return planUpstream(reference.baseUrl, undefined, wish)
    case 'file':
      return planFile(resolve(reference.path), hardware, wish)
    case 'unknown':
      // What is there was meant, and its content says whether it is a model.
      if (!existsSync(reference.text)) throw noSuchPreset(reference.text)
      return planFile(resolve(reference.text), hardware, wish)
    case 'url':
      return { kind: 'local', name: nameOf(reference.url), source: fromAddress(reference.url) }
  }
}

async function planFile(path: string, hardware: Hardware, wish: Wish): Promise<ModelPlan> {
  const settled = await settle(path, hardware, wish)
  return { ...settled, kind: 'local', name: nameOf(path), source: { kind: 'file', path } }
}

function planUpstream(baseUrl: string, model: string | undefined, { mtp, engine }: Wish): ModelPlan {
  if (mtp) throw new Misuse('--mtp has no effect on a server elsewhere. Leave it out, and set it up there.')
  if (engine !== 'auto' && engine !== 'upstream')
    throw new Misuse(`--engine ${engine} does not run a model that is on a server elsewhere. Leave it out.`)
  return { kind: 'upstream', baseUrl, model }
}

function planPreset(hardware: Hardware, wish: Wish): ModelPlan {
  const choice = choosePreset({ hardware, ...wish })
  if (choice.kind === 'nothing-fits') throw new Misuse(choice.reason)
  const { preset, reason, place, ctx, parallel, neededBytes } = choice
  refuseLongContext(preset.name, preset.nativeContext.value, wish.ctx)
  return { ...ofPreset(preset), fit: { place, ctx, parallel, neededBytes }, reason }
}

const ofPreset = (preset: Preset) =>
  ({
    kind: 'local',
    name: preset.name,
    preset,
    source: {
      kind: 'download',
      url: urlOf(preset.source),
      path: `models/${preset.source.sha256.slice(0, 12)}-${preset.source.file}`,
      bytes: preset.weightsBytes.value,
      sha256: preset.source.sha256,
    },
  }) as const

function planNamed(preset: Preset, hardware: Hardware, wish: Wish): ModelPlan {
  if (wish.mtp && preset.kvBytesPerTokenMtp === undefined) throw withoutMtp(preset.name)
  refuseLongContext(preset.name, preset.nativeContext.value, wish.ctx)
  return { ...ofPreset(preset), ...fitOf(preset.name, sizeOf(preset, wish.mtp), hardware, wish) }
}

/** What the file itself says decides. */
export async function settle(
  path: string,
  hardware: Hardware,
  wish: Wish,
): Promise<{ fit: Fit; reason: string }> {
  const facts = await readGgufFacts(path)
  const name = nameOf(path)
  if (wish.mtp && !facts.hasMtp) throw withoutMtp(name)
  refuseLongContext(name, facts.nativeContext, wish.ctx)
  return fitOf(name, facts, hardware, wish)
}

function fitOf(
  name: string,
  size: ModelSize,
  hardware: Hardware,
  { ctx, parallel }: Wish,
): { fit: Fit; reason: string } {
  const places = [gpuPlace(hardware), cpuPlace(hardware)].filter((place) => place !== undefined)
  for (const place of places) {
    const fit = bestFit(size, ctx, parallel, place)
    if (fit) return { fit, reason: reasonOf(name, fit, { ctx, parallel, hasGpu: places.length > 1 }) }
  }
  const [first] = places
  throw new Misuse(
    `${name} does not fit: it needs ${first ? inExactGibibytes(minBytes(size, ctx, first)) : ''}, and ${first?.name} can give ${inExactGibibytes(first?.bytes ?? 0)}. Choose a smaller model; --dry-run without --model names one.`,
  )
}

function reasonOf(
  name: string,
  fit: Fit,
  { ctx, parallel, hasGpu }: { ctx: number; parallel: number; hasGpu: boolean },
): string {
  const isAside = hasGpu && fit.place.kind === 'cpu'
  const where = `${fit.place.name}${isAside ? ', because it does not fit on the GPU' : ''}`
  const less =
    fit.ctx < ctx
      ? ` --ctx ${ctx} does not fit, even for one request.`
      : fit.parallel < parallel
        ? ` --parallel ${parallel} does not fit.`
        : ''
  return `${name} was asked for; with ${fit.parallel} × ${fit.ctx} tokens it needs ${inExactGibibytes(fit.neededBytes)} of the ${inExactGibibytes(fit.place.bytes)} of ${where}.${less}`
}

function refuseLongContext(name: string, nativeContext: number | undefined, ctx: number): void {
  if (nativeContext !== undefined && ctx > nativeContext)
    throw new Misuse(
      `${name} supports a context of up to ${nativeContext} tokens, and --ctx asks for ${ctx}. Use --ctx ${nativeContext} or less, or another model.`,
    )
}

const withoutMtp = (name: string): Misuse =>
  new Misuse(
    `--mtp does not work with ${name}, which has no layers for it: only the Qwen3.6 family has (${presets
      .filter(({ kvBytesPerTokenMtp }) => kvBytesPerTokenMtp !== undefined)
      .map((preset) => preset.name)
      .join(', ')}). Leave out --mtp, or choose one of these.`,
  )

/** Where the file of a model is, or comes from. */
type ModelSource =
  | { kind: 'file'; path: string }
  | { kind: 'download'; url: string; path: string; bytes?: number; sha256?: string }

/** The address is part of the path, because files of one name are at many addresses. */
function fromAddress(url: string): ModelSource {
  const file = basename(new URL(url).pathname)
  if (/-\d{5}-of-\d{5}\.gguf$/i.test(file))
    throw new Misuse(
      `${file} is one of several files of a model. Download all of them, and give the path of the first: --model ./${file}.`,
    )
  const address = createHash('sha256').update(url).digest('hex').slice(0, 12)
  return { kind: 'download', url, path: `models/${address}-${file.replace(/[^\w.-]/g, '_')}` }
}

/** The name that clients see. */
const nameOf = (pathOrUrl: string): string =>
  basename(pathOrUrl.replace(/[?#].*$/, '')).replace(/\.gguf$/i, '')
