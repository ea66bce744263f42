import { type KeyAccess, limits, type NewKey } from '@atrium/contract'
import { texts } from '../../text/console.ts'
import { asSentence, refusedPlaces } from '../feedback/findings.ts'

export const lifetimes = ['30', '90', '365', 'never'] as const
type Lifetime = (typeof lifetimes)[number]

export interface KeyForm {
  name: string
  access: KeyAccess
  scope: 'all' | 'some'
  /** Chosen, whether the scope uses them or not. */
  experiments: string[]
  lifetime: Lifetime
}

/** A key that is forgotten does the least harm: it reads, and not for ever. */
export const emptyForm: KeyForm = { name: '', access: 'read', scope: 'all', experiments: [], lifetime: '90' }

export type KeyProblems = Partial<Record<'name' | 'experiments', string>>

const dayMs = 24 * 60 * 60_000

export type CheckedKey = { kind: 'valid'; body: NewKey } | { kind: 'invalid'; problems: KeyProblems }

/** What can be found without the server; it checks everything again. */
export function checkForm({ name, access, scope, experiments, lifetime }: KeyForm, now: number): CheckedKey {
  const text = texts().keyForm.problems
  const problems: KeyProblems = {
    ...(name.trim() === '' && { name: text.name }),
    ...(scope === 'some' && experiments.length === 0 && { experiments: text.experiments }),
    ...(scope === 'some' &&
      experiments.length > limits.experimentsPerKey && {
        experiments: text.tooMany(limits.experimentsPerKey),
      }),
  }
  if (Object.keys(problems).length > 0) return { kind: 'invalid', problems }
  return {
    kind: 'valid',
    body: {
      name: name.trim(),
      access,
      ...(scope === 'some' && { experiments }),
      ...(lifetime !== 'never' && { expiresAt: new Date(now + Number(lifetime) * dayMs).toISOString() }),
    },
  }
}

/** What the server found wrong, by field; empty if it is about something else. */
export function problemsIn(error: Error): KeyProblems {
  const issueAt = (path: string) => refusedPlaces(error).find((issue) => issue.path.startsWith(path))
  const [name, experiments] = [issueAt('/name'), issueAt('/experiments')]
  return {
    ...(name && { name: asSentence(name.message) }),
    ...(experiments && { experiments: asSentence(experiments.message) }),
  }
}

/** A first call for the new key, without the key itself: commands stay in the history of a shell. */
export const exampleFor = (origin: string, experiments: readonly string[] | undefined): string => {
  const [first] = experiments ?? []
  const path = first === undefined ? '' : `/${encodeURIComponent(first)}/export`
  return `curl --fail --header "Authorization: Bearer $ATRIUM_KEY" ${origin}/api/experiments${path}`
}
