import { type Finding, ok, problem, warning } from '../finding.ts'

export type RedisFacts =
  | { kind: 'unreachable'; code: string }
  | { kind: 'reached'; version: string; policy: string; maxBytes: number; isReplica: boolean }

/** What the queue of transcode jobs needs at least. */
const oldestMajor = 5
/** The tests run with this one. */
const testedMajor = 7

export function judgeRedis(facts: RedisFacts): Finding[] {
  if (facts.kind === 'unreachable') return [judgeRefusal(facts.code)]
  return [judgeVersion(facts.version), judgeEviction(facts), ...judgeRole(facts.isReplica)]
}

function judgeRefusal(code: string): Finding {
  if (code === 'URIError')
    return problem(
      'Redis',
      'REDIS_URL has a % that encodes nothing.',
      'Write every % of the user and the password as %25.',
    )
  if (code === 'WRONGPASS' || code === 'NOAUTH')
    return problem(
      'Redis',
      code === 'NOAUTH' ? 'Redis asks for a password.' : 'Redis refuses the user or password.',
      'Correct the user or password in REDIS_URL.',
    )
  if (code === 'NOPERM')
    return problem(
      'Redis',
      'The user of REDIS_URL may not run all commands.',
      'Allow it all commands on all keys and channels (`~* &* +@all`).',
    )
  return problem(
    'Redis',
    `Redis cannot be reached (${code}).`,
    'Start it, or correct host and port in REDIS_URL.',
  )
}

function judgeVersion(version: string): Finding {
  const major = Number.parseInt(version, 10)
  if (major < oldestMajor)
    return problem('Redis', `Redis ${version} is too old.`, `Upgrade to Redis ${testedMajor} or newer.`)
  if (major < testedMajor)
    return warning(
      'Redis',
      `Redis ${version} answers; Atrium is tested with ${testedMajor}.`,
      `Plan an upgrade to Redis ${testedMajor} or newer.`,
    )
  return ok('Redis', `Redis ${version} answers.`)
}

function judgeEviction({ policy, maxBytes }: { policy: string; maxBytes: number }): Finding {
  const check = 'Redis eviction'
  if (policy === 'noeviction') return ok(check, 'Redis forgets nothing that has not expired.')
  const mend = 'Set `maxmemory-policy noeviction`.'
  return maxBytes === 0
    ? warning(check, `The policy is ${policy}; without maxmemory it has no effect yet.`, mend)
    : problem(
        check,
        `The policy is ${policy}: when its memory is full, Redis forgets who waits, where rooms are, and transcode jobs.`,
        mend,
      )
}

const judgeRole = (isReplica: boolean): Finding[] =>
  isReplica
    ? [problem('Redis', 'It is a replica and accepts no writes.', 'Let REDIS_URL name the primary.')]
    : []
