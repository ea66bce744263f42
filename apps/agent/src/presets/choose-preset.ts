import { type Hardware, inExactGibibytes } from '../hardware/index.ts'
import { cpuPlace, gpuPlace, type ModelSize, neededBytes, type Place } from './memory.ts'
import type { Preset } from './preset.ts'
import { presets } from './presets.ts'

interface Wish {
  hardware: Hardware
  /** Tokens that each request may have. */
  ctx: number
  /** Requests at the same time. */
  parallel: number
  mtp: boolean
}

/** How a model is going to run. */
export interface Fit {
  place: Place
  ctx: number
  parallel: number
  neededBytes: number
}

type Choice =
  | ({ kind: 'chosen'; preset: Preset; reason: string } & Fit)
  | { kind: 'nothing-fits'; reason: string }

/** Below this, a perception does not fit in. */
const minContext = 4_096

export const sizeOf = (preset: Preset, mtp: boolean): ModelSize => ({
  weightsBytes: preset.weightsBytes.value,
  layers: preset.layers.value,
  kvBytesPerToken: (mtp ? (preset.kvBytesPerTokenMtp ?? preset.kvBytesPerToken) : preset.kvBytesPerToken)
    .value,
  stateBytesPerRequest: preset.stateBytesPerRequest.value,
})

/**
 * The largest preset that serves at least half of the requests at the same time. If even the smallest does not, it serves
 * as many as fit, and only then each of them gets less context. So more memory never means a smaller model.
 */
export function choosePreset(wish: Wish): Choice {
  const gpu = gpuPlace(wish.hardware)
  const cpu = cpuPlace(wish.hardware)
  const onGpu = gpu && bestAt(gpu, candidates('gpu', wish.mtp), wish)
  const onCpu = bestAt(cpu, candidates('cpu', wish.mtp), wish)
  // A small card may hold less than the RAM. As much on the card is better: it is faster.
  const best = onGpu && (!onCpu || rankOf(onGpu.preset) >= rankOf(onCpu.preset)) ? onGpu : onCpu
  if (best)
    return { kind: 'chosen', ...best, reason: reasonOf(best, wish, best.place === gpu ? gpu : undefined) }
  return { kind: 'nothing-fits', reason: refusal(wish, gpu ?? cpu) }
}

const rankOf = (preset: Preset): number => presets.indexOf(preset)

/** Multi-token prediction is for one family only. */
const candidates = (kind: Place['kind'], mtp: boolean): Preset[] =>
  presets.filter(
    ({ isChosen, isForCpu, kvBytesPerTokenMtp }) =>
      isChosen && (kind === 'gpu' || isForCpu) && (!mtp || kvBytesPerTokenMtp !== undefined),
  )

function bestAt(
  place: Place,
  from: readonly Preset[],
  { ctx, parallel, mtp }: Wish,
): (Fit & { preset: Preset }) | undefined {
  const enough = Math.ceil(parallel / 2)
  for (const preset of from.toReversed()) {
    const served = maxParallel(sizeOf(preset, mtp), ctx, parallel, place)
    if (served >= enough) return { preset, ...fitOf(sizeOf(preset, mtp), ctx, served, place) }
  }
  const needs = (preset: Preset) => neededBytes(sizeOf(preset, mtp), ctx, 1, place)
  for (const preset of from.toSorted((one, other) => needs(one) - needs(other))) {
    const fit = bestFit(sizeOf(preset, mtp), ctx, parallel, place)
    if (fit) return { preset, ...fit }
  }
  return undefined
}

/** The contexts that are tried, one after the other: the full one, then half of it each time. */
function contextsFrom(ctx: number): number[] {
  const half = Math.floor(ctx / 2)
  return half >= minContext ? [ctx, ...contextsFrom(half)] : [ctx]
}

/** What one request needs at the shortest context that is tried. */
export const minBytes = (model: ModelSize, ctx: number, place: Place): number =>
  neededBytes(model, contextsFrom(ctx).at(-1) ?? ctx, 1, place)

/** One model in one place: fewer requests at the same time before less context. Undefined if it does not fit at all. */
export function bestFit(model: ModelSize, ctx: number, parallel: number, place: Place): Fit | undefined {
  for (const tokens of contextsFrom(ctx)) {
    const served = maxParallel(model, tokens, parallel, place)
    if (served > 0) return fitOf(model, tokens, served, place)
  }
  return undefined
}

function maxParallel(model: ModelSize, ctx: number, parallel: number, place: Place): number {
  const fixed = neededBytes(model, ctx, 0, place)
  const each = neededBytes(model, ctx, 1, place) - fixed
  return Math.max(0, Math.min(parallel, Math.floor((place.bytes - fixed) / each)))
}

const fitOf = (model: ModelSize, ctx: number, parallel: number, place: Place): Fit => ({
  place,
  ctx,
  parallel,
  neededBytes: neededBytes(model, ctx, parallel, place),
})

function reasonOf(best: Fit & { preset: Preset }, wish: Wish, gpu: Place | undefined): string {
  const { preset, place, ctx, parallel } = best
  const room = `${inExactGibibytes(best.neededBytes)} of the ${inExactGibibytes(place.bytes)} that ${place.name} can give`
  const what = `${preset.name} needs ${room}, with ${parallel} ${parallel === 1 ? 'request' : 'requests'} of ${ctx} tokens at the same time`
  const less =
    ctx < wish.ctx
      ? `; --ctx ${wish.ctx} does not fit, even for one request`
      : parallel < wish.parallel
        ? `; --parallel ${wish.parallel} does not fit`
        : ''
  const larger = gpu && largerWith(preset, wish, gpu)
  return `${what}${less}.${larger ?? ''}`
}

/** What the operator could have instead, if fewer requests at the same time are enough. */
function largerWith(chosen: Preset, { ctx, parallel, mtp }: Wish, place: Place): string | undefined {
  const larger = candidates('gpu', mtp)
    .filter((preset) => rankOf(preset) > rankOf(chosen))
    .toReversed()
    .map((preset) => ({ preset, served: maxParallel(sizeOf(preset, mtp), ctx, parallel, place) }))
    .find(({ served }) => served >= 2)
  return (
    larger &&
    ` A larger model fits if fewer requests at the same time are enough: --model ${larger.preset.name} --parallel ${larger.served}.`
  )
}

/** Of the presets that were tried in this place, and as small as they were tried: so the figures never contradict the verdict. */
function refusal({ mtp, ctx }: Wish, place: Place): string {
  const needs = candidates(place.kind, mtp).map((preset) => minBytes(sizeOf(preset, mtp), ctx, place))
  if (needs.length === 0)
    return 'No preset fits: those with --mtp are chosen for a GPU only, and there is none to use. Leave out --mtp.'
  const instead = mtp
    ? 'Leave out --mtp for a smaller family'
    : 'Close other programs, name a smaller model (--model qwen3-0.6b), or use a server elsewhere (--upstream https://…/v1)'
  return `No preset fits: ${place.name} can give ${inExactGibibytes(place.bytes)}, and the smallest${mtp ? ' with --mtp' : ''} needs ${inExactGibibytes(Math.min(...needs))}. ${instead}.`
}
