import { type ExperimentStatus, experimentStatuses, mayExperimentBecome } from '@atrium/contract'

export interface StatusStep {
  to: ExperimentStatus
  label: string
  /** What the researcher is asked before it happens; nothing when it is easily undone. */
  confirmation: string | undefined
}

const confirmations: Partial<Record<ExperimentStatus, string>> = {
  closed:
    'Nobody new can join any more. Who has joined may still finish. A closed experiment can recruit again later.',
  archived:
    'An archived experiment stays as it is for ever: it cannot be opened, changed or recruited for again.',
}

function labelOf(from: ExperimentStatus, to: ExperimentStatus): string {
  switch (to) {
    case 'recruiting':
      return from === 'draft' ? 'Start recruiting' : from === 'paused' ? 'Go on recruiting' : 'Recruit again'
    case 'paused':
      return 'Pause recruiting'
    case 'closed':
      return 'Close'
    case 'archived':
      return 'Archive'
    case 'draft':
      return 'Back to draft'
  }
}

/** Where an experiment may go from its status, by the contract. */
export const stepsFrom = (from: ExperimentStatus): StatusStep[] =>
  experimentStatuses
    .filter((to) => to !== from && mayExperimentBecome(from, to))
    .map((to) => ({ to, label: labelOf(from, to), confirmation: confirmations[to] }))

export const statusColours: Record<ExperimentStatus, string> = {
  draft: 'gray',
  recruiting: 'teal.9',
  paused: 'yellow',
  closed: 'indigo',
  archived: 'dark',
}

export const statusMeanings: Record<ExperimentStatus, string> = {
  draft: 'Not open yet: nobody can join.',
  recruiting: 'People can join.',
  paused: 'Nobody new can join at the moment. Who has joined may go on.',
  closed: 'Nobody new can join. Who has joined may finish.',
  archived: 'Over for good.',
}
