import { Type } from 'typebox'

/** R37: what somebody is to an experiment. */
const experimentAccesses = ['owner', 'edit', 'view', 'admin'] as const
export type ExperimentAccess = (typeof experimentAccesses)[number]
export const ExperimentAccess = Type.Enum(experimentAccesses, {
  description:
    '`owner`: you made it; `edit` or `view`: it is shared with you so; `admin`: it is somebody else’s, and you see it as an administrator',
})

const shareAccesses = ['view', 'edit'] as const
export type ShareAccess = (typeof shareAccesses)[number]
export const ShareAccess = Type.Enum(shareAccesses, {
  description: '`view` reads definition, rooms, monitor and exports; `edit` also changes and steers',
})

/** R37: what a route asks of its caller. */
export type NeededAccess = 'view' | 'edit' | 'owner'

const allowed: Record<ExperimentAccess, readonly NeededAccess[]> = {
  view: ['view'],
  edit: ['view', 'edit'],
  owner: ['view', 'edit', 'owner'],
  admin: ['view', 'edit', 'owner'],
}

/** The server decides by this, and the console offers nothing else. */
export const mayWith = (access: ExperimentAccess, needed: NeededAccess): boolean =>
  allowed[access].includes(needed)
