/** How often and for how long a page was left. */
export interface Absence {
  count: number
  /** Of the times that have ended. */
  ms: number
  /** Since when it is left now. */
  since?: number
}

export const noAbsence: Absence = { count: 0, ms: 0 }

/** Leaving it twice without coming back, by the window and then by the tab, is once. */
export const left = (absence: Absence, now: number): Absence =>
  absence.since === undefined ? { ...absence, count: absence.count + 1, since: now } : absence

export const returned = (absence: Absence, now: number): Absence => ({
  count: absence.count,
  ms: msAway(absence, now),
})

export const msAway = ({ ms, since }: Absence, now: number): number =>
  ms + (since === undefined ? 0 : Math.max(0, now - since))

/** What to count from: a time away that lasts now counts once for whatever it overlaps. */
export const absenceBefore = (absence: Absence, now: number): Absence => ({
  count: absence.count - (absence.since === undefined ? 0 : 1),
  ms: msAway(absence, now),
})
