import type { ExperimentHead } from '@atrium/contract'

const steps = ['build', 'try', 'launch'] as const
export type Step = (typeof steps)[number]

/** What this browser remembers of somebody’s first steps. */
export interface Remembered {
  isHidden: boolean
  /** The study whose builder they went to from here. */
  tried: string | null
}

export interface ShownStep {
  step: Step
  state: 'done' | 'next' | 'later'
  /** Only of the next step. */
  href?: string
}

/** Undefined as soon as somebody has launched a study of their own, or does not want to see it. */
export function firstSteps(
  experiments: readonly Pick<ExperimentHead, 'experimentId' | 'access' | 'status'>[],
  { isHidden, tried }: Remembered,
): ShownStep[] | undefined {
  const own = experiments.filter(({ access }) => access === 'owner')
  if (isHidden || own.some(({ status }) => status !== 'draft')) return undefined
  const draft = own.find(({ experimentId }) => experimentId === tried) ?? own[0]
  const next = draft === undefined ? 'build' : draft.experimentId === tried ? 'launch' : 'try'
  const hrefs: Record<Step, string> = {
    build: '/new',
    try: `/experiments/${draft?.experimentId}/definition`,
    launch: `/experiments/${draft?.experimentId}/overview`,
  }
  return steps.map((step, at) => {
    if (step === next) return { step, state: 'next', href: hrefs[step] }
    return { step, state: at < steps.indexOf(next) ? 'done' : 'later' }
  })
}

export const draftOf = (href: string): string | null => /^\/experiments\/([^/]+)\//.exec(href)?.[1] ?? null
