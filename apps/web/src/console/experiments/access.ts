import type { ExperimentAccess } from '@atrium/contract'

export const accessLabels: Record<ExperimentAccess, string> = {
  owner: 'Yours',
  edit: 'Shared with you',
  view: 'Shared with you: view only',
  admin: 'Somebody else’s',
}

export const viewOnlySentence =
  'This experiment is shared with you to look at: you see everything and can export the data, but not change or steer it.'

/** The name of a copy, within what the contract allows. */
export const copiedName = (name: string): string => `${[...name].slice(0, 190).join('')} (copy)`
