import type { ExperimentAccess } from '@atrium/contract'

export const accessLabels: Record<ExperimentAccess, string> = {
  owner: 'Yours',
  edit: 'Shared with you',
  view: 'Shared with you: view only',
  admin: 'Someone else’s',
}

export const viewOnlySentence =
  'You can see everything and export the data, but not change the experiment or steer its rooms. Make a copy to change it.'

/** The name of a copy, within what the contract allows. */
export const copiedName = (name: string): string => `${[...name].slice(0, 190).join('')} (copy)`
