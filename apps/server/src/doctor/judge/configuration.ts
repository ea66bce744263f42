import { type Finding, ok, problem, warning } from '../finding.ts'

/** Each refusal is the sentence with which the server would refuse to start. */
export const judgeConfiguration = (refusals: string[]): Finding[] =>
  refusals.length === 0
    ? [ok('configuration', 'The server accepts it.')]
    : refusals.map((refusal) =>
        problem(
          'configuration',
          refusal,
          'Correct the variable; docs/reference/configuration.md lists them all.',
        ),
      )

/** Short names resemble too many others: HOST and HOME, PORT and PATH. */
const shortestCompared = 7

/** Variables that the server does not read, but whose names are almost those of some that it does. */
export function judgeNames(env: NodeJS.ProcessEnv, names: readonly string[]): Finding[] {
  const unknown = Object.keys(env).filter((name) => !names.includes(name) && name.length >= shortestCompared)
  return unknown.flatMap((name) => {
    const meant = names.find((known) => env[known] === undefined && isOneMistakeAway(name, known))
    if (meant === undefined) return []
    return [
      warning(
        'configuration',
        `${name} is set, but nothing reads it.`,
        `Call it ${meant} if you meant that.`,
      ),
    ]
  })
}

/** One letter too many, missing or wrong, or two neighbours swapped. */
function isOneMistakeAway(written: string, meant: string): boolean {
  if (meant.length < shortestCompared) return false
  const same = [...written].findIndex((letter, index) => letter !== meant[index])
  const at = same === -1 ? written.length : same
  const rest = (text: string, from: number) => text.slice(from)
  const [a = '', b = ''] = meant.slice(at, at + 2)
  return (
    rest(written, at + 1) === rest(meant, at) ||
    rest(written, at) === rest(meant, at + 1) ||
    rest(written, at + 1) === rest(meant, at + 1) ||
    rest(written, at) === b + a + rest(meant, at + 2)
  )
}
