/** `problem`: something does not work, or is not safe. `warning`: it works, but an operator should know. */
export type Level = 'ok' | 'warning' | 'problem'

/** What one check has found. None of the texts contains a secret. */
export interface Finding {
  /** What was checked. */
  check: string
  level: Level
  /** What was found. */
  found: string
  /** What to do about it. */
  mend?: string
}

export const ok = (check: string, found: string): Finding => ({ check, level: 'ok', found })
export const warning = (check: string, found: string, mend: string): Finding => ({
  check,
  level: 'warning',
  found,
  mend,
})
export const problem = (check: string, found: string, mend: string): Finding => ({
  check,
  level: 'problem',
  found,
  mend,
})
