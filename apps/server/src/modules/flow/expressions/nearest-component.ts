import type { Suggest } from '@atrium/contract'

/** `response.mood-score` is read as a subtraction: an id that goes on with a dash counts as near. */
export const nearestComponent = (
  wanted: string,
  known: ReadonlySet<string>,
  suggest: Suggest,
): string | undefined => suggest(wanted, known) ?? [...known].find((id) => id.startsWith(`${wanted}-`))
