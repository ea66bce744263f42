import { AppError } from './app-error.ts'
import { type Schedule, systemSchedule } from './clock.ts'

/**
 * What space is needed for: `data` is whatever a study collects, and everyone who joins; `progress` is what brings people who
 * take part to its end. To complete, to leave and to decline the consent need so little that nobody asks.
 */
export type SpaceNeed = 'data' | 'progress'

export type SpaceLevel = 'enough' | 'low' | 'critical'

export interface Disk {
  freeBytes: number
  totalBytes: number
}

/** Half of the floor is left for people to finish, the rest for completions and what the operator does. */
export const spaceLevel = (freeBytes: number, floorBytes: number): SpaceLevel =>
  freeBytes >= floorBytes ? 'enough' : freeBytes >= floorBytes / 2 ? 'low' : 'critical'

const needsMet: Record<SpaceLevel, readonly SpaceNeed[]> = {
  enough: ['data', 'progress'],
  low: ['progress'],
  critical: [],
}

export interface SpaceDeps {
  /** Undefined where nobody can see the disk. */
  measure: (() => Promise<Disk>) | undefined
  floorBytes(disk: Disk): number
  onLevel(level: SpaceLevel, freeBytes: number): void
  onError(error: unknown): void
  schedule?: Schedule
}

/** Data comes in at 100 MB a second at most, so between two looks far less arrives than the floor holds. */
const everyMs = 1_000

export type Space = Awaited<ReturnType<typeof watchSpace>>

/** Looks at the free space of a disk in the background, so that no request has to. */
export async function watchSpace({
  measure,
  floorBytes,
  onLevel,
  onError,
  schedule = systemSchedule,
}: SpaceDeps) {
  let level: SpaceLevel = 'enough'
  let freeBytes: number | undefined
  let cancel = (): void => undefined
  let isStopped = false

  async function look(measure: () => Promise<Disk>): Promise<void> {
    // A disk that cannot be looked at keeps its level; writing to it will tell.
    const disk = await measure().catch((error: unknown) => void onError(error))
    if (!disk) return
    freeBytes = disk.freeBytes
    const now = spaceLevel(disk.freeBytes, floorBytes(disk))
    if (now !== level) onLevel(now, disk.freeBytes)
    level = now
  }

  function lookLater(measure: () => Promise<Disk>): void {
    if (isStopped) return
    cancel = schedule(everyMs, () => void look(measure).then(() => lookLater(measure)))
  }

  if (measure) {
    await look(measure)
    lookLater(measure)
  }
  return {
    /** Throws unless there is space for it. */
    require(need: SpaceNeed): void {
      if (!needsMet[level].includes(need)) throw tooLittleSpace()
    },
    has: (need: SpaceNeed): boolean => needsMet[level].includes(need),
    level: (): SpaceLevel => level,
    /** Undefined where nobody can see the disk. */
    freeBytes: (): number | undefined => freeBytes,
    stop(): void {
      isStopped = true
      cancel()
    },
  }
}

/** As for a disk that is full, which is what this prevents. */
export const tooLittleSpace = (): AppError =>
  new AppError(
    'UNAVAILABLE',
    { reason: 'disk_full' },
    'The platform is low on disk space. Participants can finish, but it accepts no more data at the moment.',
  )
