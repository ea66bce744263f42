/** A video or audio on the page. The element is null while there is nothing to play. */
export interface StagedMedia {
  id: string
  element: HTMLMediaElement | null
  /** While it plays in step: the position that everyone in the room shares. */
  roomPositionMs?: (() => number) | undefined
  /** In step, it can be over for the room before this player has come to the end. */
  isOver?: boolean
}

/** The position that a rating is about. */
export const positionOf = ({ element, roomPositionMs }: StagedMedia): number =>
  Math.round(roomPositionMs?.() ?? (element?.currentTime ?? 0) * 1_000)

export interface Stage {
  subscribe(listener: () => void): () => void
  /** Returns the same list until something changes. */
  media(): readonly StagedMedia[]
  enter(media: StagedMedia): () => void
  /** Pauses playback until the returned function is called; several holds may overlap. */
  hold(mediaId: string): () => void
  isHeld(mediaId: string): boolean
  /** Runs before the end of playback is reported, because a state may end with it. */
  guardEnd(mediaId: string, guard: () => Promise<unknown>): () => void
  beforeEnd(mediaId: string): Promise<void>
}

/** Connects ratings with the video or audio that they are about. */
export function createStage(): Stage {
  let staged: readonly StagedMedia[] = []
  let holds: readonly { mediaId: string }[] = []
  let guards: readonly { mediaId: string; guard: () => Promise<unknown> }[] = []
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    media: () => staged,
    enter(media) {
      staged = [...staged, media]
      changed()
      return () => {
        staged = staged.filter((each) => each !== media)
        changed()
      }
    },
    hold(mediaId) {
      const hold = { mediaId }
      holds = [...holds, hold]
      changed()
      return () => {
        holds = holds.filter((each) => each !== hold)
        changed()
      }
    },
    isHeld: (mediaId) => holds.some((hold) => hold.mediaId === mediaId),
    guardEnd(mediaId, guard) {
      const entry = { mediaId, guard }
      guards = [...guards, entry]
      return () => {
        guards = guards.filter((each) => each !== entry)
      }
    },
    async beforeEnd(mediaId) {
      const asked = guards.filter((each) => each.mediaId === mediaId)
      await Promise.allSettled(asked.map(({ guard }) => guard()))
    },
  }
}

/** The media with that id, or the only one. Undefined if there is none or the choice is ambiguous. */
export function mediaFor(
  staged: readonly StagedMedia[],
  mediaId: string | undefined,
): StagedMedia | undefined {
  if (mediaId !== undefined) return staged.find(({ id }) => id === mediaId)
  return staged.length === 1 ? staged[0] : undefined
}
