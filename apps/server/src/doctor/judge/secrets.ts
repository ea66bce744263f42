import { type Finding, ok, problem, warning } from '../finding.ts'

export interface SecretFacts {
  /** The key of the configuration. */
  key: string
  /** Several during a rotation; none if the key is not set. */
  values: string[]
  /** Where it is kept if it is not set; undefined if nothing needs it then. */
  keptIn: string | undefined
  /** Whether people choose it, such as the password of a database. Otherwise it should be random. */
  isPassword: boolean
}

/** Of documentation and of habit. examples.test.ts compares them with the documentation. */
const examples = new Set([
  'at-least-16-random-characters',
  'another-16-random-characters',
  'the-secret-of-this-key',
  'password',
  'changeme',
  'secret',
  'postgres',
  'atrium',
  'minioadmin',
])

export const isExample = (secret: string): boolean => examples.has(secret.toLowerCase())

const shortest = 16
const recommended = 32
const fewestDifferent = 8
const howToMake =
  'Make one with `head -c 32 /dev/urandom | base64`, and see docs/secrets.md for how to change it.'

export function judgeSecrets(all: SecretFacts[]): Finding[] {
  const findings = all.flatMap((facts) => (facts.values.length === 0 ? judgeUnset(facts) : [judgeSet(facts)]))
  return [...findings, ...judgeEqual(all)]
}

const judgeUnset = ({ key, keptIn }: SecretFacts): Finding[] =>
  keptIn === undefined
    ? []
    : [warning(key, `It is not set, so the server made a secret, which is in ${keptIn}.`, howToMake)]

function judgeSet({ key, values, isPassword }: SecretFacts): Finding {
  if (values.some(isExample))
    return problem(key, 'It is an example from documentation, which everybody knows.', howToMake)
  if (!isPassword && values.some(({ length }) => length < shortest))
    return problem(key, `It has fewer than ${shortest} characters.`, howToMake)
  if (values.some((value) => new Set(value).size < Math.min(fewestDifferent, value.length)))
    return problem(key, 'It consists of few different characters, and can be guessed.', howToMake)
  if (!isPassword && values.some(({ length }) => length < recommended))
    return warning(key, `It has fewer than ${recommended} characters.`, howToMake)
  return values.length > 1
    ? warning(
        key,
        `${values.length} secrets are accepted.`,
        'If no rotation is under way, remove the old ones (docs/secrets.md).',
      )
    : ok(key, `It is set, with ${values[0]?.length ?? 0} characters.`)
}

/** Whoever learns one of two equal secrets has both. */
function judgeEqual(all: SecretFacts[]): Finding[] {
  const holders = new Map<string, string[]>()
  for (const { key, values } of all)
    for (const value of new Set(values)) holders.set(value, [...(holders.get(value) ?? []), key])
  return [...holders.values()]
    .filter((keys) => keys.length > 1)
    .map((keys) => problem('secrets', `${keys.join(' and ')} have the same secret.`, howToMake))
}

export interface SecretFileFacts {
  path: string
  mode: number
}

export const judgeSecretFile = ({ path, mode }: SecretFileFacts): Finding =>
  (mode & 0o077) === 0
    ? ok('secrets', `Only its user can read ${path}.`)
    : problem('secrets', `Other users of this machine can read ${path}.`, `Run \`chmod 600 ${path}\`.`)
