import type { RoomSnapshot } from './view.ts'

// Apart from the schemas, which pages need not load.

/** R73: the largest group whose members are listed, on pages and in texts. Of larger ones there are figures. */
export const maxListedGroup = 50

/** How many others are in the room, whether or not they are listed. */
export const otherCountIn = ({ others, crowd }: Pick<RoomSnapshot, 'others' | 'crowd'>): number =>
  crowd ? Math.max(0, crowd.members + crowd.dropped - 1) : others.length
