import { type DryRunArrivals, type ExperimentDefinition, variableOf } from '@atrium/contract'
import { texts } from '../../text/console.ts'

type Weights = NonNullable<DryRunArrivals['variables']>
type Answers = Pick<DryRunArrivals, 'variables' | 'attributes'>
type Sample = NonNullable<DryRunArrivals['sample']>

/** What people answered before they wait. Everything else comes with their link. */
export const participantVariablesOf = ({ variables = {} }: ExperimentDefinition): string[] =>
  Object.entries(variables).flatMap(([name, declared]) =>
    variableOf(declared).scope === 'participant' ? [name] : [],
  )

/** `opinion = for:2, against:1`, one name in each line; the number is how often a value occurs, beside the others. */
export function answersIn(
  text: string,
  variables: readonly string[],
): { ok: true; answers: Answers } | { ok: false; message: string } {
  const known: Record<'variables' | 'attributes', Weights> = { variables: {}, attributes: {} }
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const at = line.indexOf('=')
    const name = line.slice(0, at).trim()
    const weights = weightsIn(line.slice(at + 1))
    if (at < 1 || name === '' || !weights)
      return { ok: false, message: texts().dryRun.unreadableLine(index + 1) }
    known[variables.includes(name) ? 'variables' : 'attributes'][name] = weights
  }
  const given = Object.entries(known).filter(([, byName]) => Object.keys(byName).length > 0)
  return { ok: true, answers: Object.fromEntries(given) }
}

function weightsIn(text: string): Record<string, number> | undefined {
  const pairs = text.split(',').map((part): [string, number] => {
    const colon = part.lastIndexOf(':')
    return colon === -1 ? [part.trim(), 1] : [part.slice(0, colon).trim(), Number(part.slice(colon + 1))]
  })
  return pairs.every(([value, weight]) => value !== '' && weight > 0 && weight <= 1_000_000)
    ? Object.fromEntries(pairs)
    : undefined
}

const longestValue = 200

/** People of the table `participants`, as far as matching reads what they answered. */
export function sampleOf(
  rows: readonly Readonly<Record<string, unknown>>[],
  variables: readonly string[],
  matching: ExperimentDefinition['matching'],
): Sample {
  const read = JSON.stringify(matching ?? {})
  const names = variables.filter((name) => read.includes(name)).slice(0, 50)
  return rows
    .map((row) =>
      Object.fromEntries(
        names.flatMap((name) => {
          // Columns have other names where a variable is called as no program likes it.
          const value = row[`var_${name.replace(/[^\p{L}\p{N}_]/gu, '_')}`]
          return isPlain(value) ? [[name, value]] : []
        }),
      ),
    )
    .filter((person) => Object.keys(person).length > 0)
    .slice(0, 5_000)
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length <= longestValue)
