import { Type } from 'typebox'

/** R37: the access that a researcher has to an experiment. */
const experimentAccesses = ['owner', 'edit', 'view', 'admin'] as const
export type ExperimentAccess = (typeof experimentAccesses)[number]
export const ExperimentAccess = Type.Enum(experimentAccesses, {
  description:
    '`owner`: you created it; `edit` or `view`: it is shared with you; `admin`: it belongs to someone else and you see it as an administrator',
})

const shareAccesses = ['view', 'edit'] as const
export type ShareAccess = (typeof shareAccesses)[number]
export const ShareAccess = Type.Enum(shareAccesses, {
  description:
    '`view`: read the definition, rooms, monitor and exports; `edit`: also change the experiment and control its rooms',
})

/** R37: the access that a route requires. */
export type NeededAccess = 'view' | 'edit' | 'owner'

const allowed: Record<ExperimentAccess, readonly NeededAccess[]> = {
  view: ['view'],
  edit: ['view', 'edit'],
  owner: ['view', 'edit', 'owner'],
  admin: ['view', 'edit', 'owner'],
}

/** Used by the server to decide, and by the console to show only what is allowed. */
export const mayWith = (access: ExperimentAccess, needed: NeededAccess): boolean =>
  allowed[access].includes(needed)
