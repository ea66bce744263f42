import { type ExperimentStatus, experimentStatuses, mayExperimentBecome } from '@atrium/contract'
import { texts } from '../../text/console.ts'

export interface StatusStep {
  to: ExperimentStatus
  label: string
  /** What the researcher is asked before it happens; undefined for steps that are easily undone. */
  confirmation: { title: string; message: string } | undefined
}

function labelOf(from: ExperimentStatus, to: ExperimentStatus): string {
  const { steps } = texts().status
  switch (to) {
    case 'recruiting':
      return from === 'draft' ? steps.start : from === 'paused' ? steps.resume : steps.recruitAgain
    case 'paused':
      return steps.pause
    case 'closed':
      return steps.close
    case 'archived':
      return steps.archive
    case 'draft':
      return steps.toDraft
  }
}

function confirmationOf(to: ExperimentStatus): StatusStep['confirmation'] {
  const { closeTitle, closeMessage, archiveTitle, archiveMessage } = texts().status
  if (to === 'closed') return { title: closeTitle, message: closeMessage }
  return to === 'archived' ? { title: archiveTitle, message: archiveMessage } : undefined
}

/** The statuses that the contract allows next. */
export const stepsFrom = (from: ExperimentStatus): StatusStep[] =>
  experimentStatuses
    .filter((to) => to !== from && mayExperimentBecome(from, to))
    .map((to) => ({ to, label: labelOf(from, to), confirmation: confirmationOf(to) }))
