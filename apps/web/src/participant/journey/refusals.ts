import { ApiRefused, NoAnswer, NotSafe } from '@atrium/client'
import type { Stage, Stopped } from './stage.ts'

const closedFor: Record<string, [title: string, message: string]> = {
  full: ['This study is full', 'All places are taken. Thank you for your interest.'],
  already_completed: [
    'You have taken part in this study',
    'It can be taken only once. Thank you for taking part.',
  ],
  status: ['This study is not open', 'It takes no participants at the moment.'],
}

/** Why somebody cannot take part, in their words. */
export function stoppedBy(error: unknown): Stopped {
  const stopped = { kind: 'stopped', remedy: 'Try again' } as const
  if (error instanceof NoAnswer)
    return {
      ...stopped,
      title: 'The study cannot be reached',
      message: 'Please check your connection. Nothing is lost.',
    }
  if (!(error instanceof ApiRefused))
    return {
      ...stopped,
      title: 'Something went wrong',
      message: error instanceof Error ? error.message : String(error),
    }
  return stoppedByCode(error.code, error.message, error.details)
}

export function stoppedByCode(code: string, message: string, details: Record<string, unknown>): Stopped {
  if (code === 'EXPERIMENT_CLOSED') {
    const [title, why] = closedFor[String(details.reason)] ?? ['This study is not open', message]
    return { kind: 'stopped', title, message: why, remedy: null }
  }
  if (code === 'EXPERIMENT_NOT_FOUND')
    return {
      kind: 'stopped',
      title: 'There is no such study',
      remedy: null,
      message: 'The link may be incomplete. Please check it, or ask who gave it to you.',
    }
  return { kind: 'stopped', title: 'You cannot take part at the moment', message, remedy: 'Try again' }
}

/** Whoever loads the page again after the end is told how it ended, and sees the code that they need to be paid. */
export function endedBefore(error: unknown): Extract<Stage, { kind: 'done' }> | undefined {
  if (!(error instanceof ApiRefused) || error.code !== 'EXPERIMENT_CLOSED') return undefined
  const { outcome, completionCode, redirectUrl } = error.details
  return typeof outcome === 'string' && typeof completionCode === 'string' && typeof redirectUrl === 'string'
    ? { kind: 'done', outcome, completionCode, redirectUrl }
    : undefined
}

export const replacedByOtherTab: Stopped = {
  kind: 'stopped',
  title: 'The study goes on in another tab',
  message: 'It is open in another tab or on another device. You can take it back to this one.',
  remedy: 'Go on here',
}

export const broken: Stopped = {
  kind: 'stopped',
  title: 'This page has failed',
  message: 'What you have answered so far is stored. Please load the page again; you go on where you were.',
  remedy: 'Load the page again',
}

export const unknownRoom: Stopped = {
  kind: 'stopped',
  title: 'This is not your room',
  message: 'Please open the link that you were given for the study.',
  remedy: null,
}

/** No network, an instance that restarts: trying again will help. */
export const mayPass = (error: unknown): boolean =>
  error instanceof NotSafe ||
  error instanceof NoAnswer ||
  (error instanceof ApiRefused && (error.status >= 500 || error.status === 429))

export const notCompleted = (error: unknown): Stopped => ({
  kind: 'stopped',
  title: 'The study could not be completed',
  message: `Please tell the researchers: ${error instanceof Error ? error.message : String(error)}`,
  remedy: 'Try again',
})
