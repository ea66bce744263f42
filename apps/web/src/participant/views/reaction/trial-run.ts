/** A block of reaction trials as data: what a frame or a key changes. All times are those of the page's own clock. */
export interface Block {
  /** Position in the plan. */
  at: number
  phase: Phase
  /** The page was hidden during the current trial. */
  wasHidden: boolean
  records: readonly TrialRecord[]
}

export type Phase =
  | { kind: 'fixation'; sinceMs: number }
  | { kind: 'stimulus'; onsetMs: number; frameMs: number | null; reaction: Reaction | null }
  | { kind: 'feedback'; sinceMs: number; verdict: Verdict }
  | { kind: 'interval'; sinceMs: number }
  | { kind: 'over' }

type Verdict = 'right' | 'wrong' | 'late'
export type InputKind = 'keyboard' | 'touch' | 'mouse' | 'pen'

export interface Reaction {
  key: string
  atMs: number
  input: InputKind
}

export interface TrialRecord {
  trial: number
  key: string | null
  rtMs: number | null
  correct: boolean | null
  timedOut: boolean
  onsetMs: number
  frameMs: number
  input: InputKind | null
  hidden: boolean
}

export interface BlockPlan {
  /** In the order shown. */
  trials: readonly { trial: number; correctKey: string | undefined }[]
  timeoutMs: number
  fixationMs: number
  intervalMs: number
  /** 0 for none. */
  feedbackMs: number
}

/** Frames come a little early or late; without this, half of all waits would last one frame too long. */
const toleranceMs = 2

export const begin = (plan: BlockPlan, frameAtMs: number): Block =>
  openTrial({ at: 0, wasHidden: false, records: [] }, plan, frameAtMs)

/** A frame is about to be painted: what it shows from now on. */
export function onFrame(block: Block, plan: BlockPlan, frameAtMs: number): Block {
  const { phase } = block
  const hasPassed = (sinceMs: number, ms: number) => frameAtMs - sinceMs >= ms - toleranceMs
  switch (phase.kind) {
    case 'over':
      return block
    case 'fixation':
      return hasPassed(phase.sinceMs, plan.fixationMs) ? showStimulus(block, frameAtMs) : block
    case 'interval':
      return hasPassed(phase.sinceMs, plan.intervalMs) ? openTrial(block, plan, frameAtMs) : block
    case 'feedback':
      return hasPassed(phase.sinceMs, plan.feedbackMs) ? goOn(block, plan, frameAtMs) : block
    case 'stimulus': {
      const frameMs = phase.frameMs ?? frameAtMs - phase.onsetMs
      if (phase.reaction || hasPassed(phase.onsetMs, plan.timeoutMs))
        return closeTrial(block, plan, { ...phase, frameMs }, frameAtMs)
      return phase.frameMs === null ? { ...block, phase: { ...phase, frameMs } } : block
    }
  }
}

/** Only the first key counts, and only while the stimulus is there: neither earlier nor too late. */
export function onReaction(block: Block, plan: BlockPlan, reaction: Reaction): Block {
  const { phase } = block
  if (phase.kind !== 'stimulus' || phase.reaction) return block
  const rtMs = reaction.atMs - phase.onsetMs
  return rtMs < 0 || rtMs > plan.timeoutMs ? block : { ...block, phase: { ...phase, reaction } }
}

export const onHidden = (block: Block): Block => ({ ...block, wasHidden: true })

const openTrial = (block: Omit<Block, 'phase'>, plan: BlockPlan, sinceMs: number): Block =>
  plan.fixationMs > 0 ? { ...block, phase: { kind: 'fixation', sinceMs } } : showStimulus(block, sinceMs)

/** The frame that shows the stimulus has this time stamp, so the stimulus does too. */
const showStimulus = (block: Omit<Block, 'phase'>, onsetMs: number): Block => ({
  ...block,
  phase: { kind: 'stimulus', onsetMs, frameMs: null, reaction: null },
})

function closeTrial(
  block: Block,
  plan: BlockPlan,
  { onsetMs, frameMs, reaction }: { onsetMs: number; frameMs: number; reaction: Reaction | null },
  frameAtMs: number,
): Block {
  const planned = plan.trials[block.at]
  if (!planned) return { ...block, phase: { kind: 'over' } }
  const { trial, correctKey } = planned
  const correct = correctKey === undefined ? null : reaction?.key === correctKey
  const record: TrialRecord = {
    trial,
    key: reaction?.key ?? null,
    rtMs: reaction && inMicroseconds(reaction.atMs - onsetMs),
    correct,
    timedOut: reaction === null,
    onsetMs: inMicroseconds(onsetMs),
    frameMs: inMicroseconds(frameMs),
    input: reaction?.input ?? null,
    hidden: block.wasHidden,
  }
  const closed = { ...block, records: [...block.records, record] }
  const verdict = reaction === null ? 'late' : correct === null ? null : correct ? 'right' : 'wrong'
  return plan.feedbackMs > 0 && verdict !== null
    ? { ...closed, phase: { kind: 'feedback', sinceMs: frameAtMs, verdict } }
    : goOn(closed, plan, frameAtMs)
}

function goOn(block: Block, plan: BlockPlan, frameAtMs: number): Block {
  const at = block.at + 1
  if (at === plan.trials.length) return { ...block, phase: { kind: 'over' } }
  const next = { ...block, at, wasHidden: false }
  return plan.intervalMs > 0
    ? { ...next, phase: { kind: 'interval', sinceMs: frameAtMs } }
    : openTrial(next, plan, frameAtMs)
}

/** Finer digits are noise of the computation. */
const inMicroseconds = (ms: number): number => Math.round(ms * 1_000) / 1_000
