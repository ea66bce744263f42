import { type Finding, ok, problem, warning } from '../finding.ts'

export type IdentityFacts =
  | { kind: 'development'; isReachable: boolean }
  | { kind: 'provider'; issuer: string; answer: 'sound' | 'another issuer' | { code: string } }

export function judgeIdentity(facts: IdentityFacts): Finding {
  const check = 'identity'
  if (facts.kind === 'development')
    return facts.isReachable
      ? warning(
          check,
          'The development issuer runs, and HOST is not a loopback address: anybody who reaches it can sign in as anybody.',
          'Set OIDC_ISSUER, or keep the network closed.',
        )
      : ok(check, 'The development issuer runs; only this machine reaches it.')
  const { answer } = facts
  const issuer = withoutUserinfo(facts.issuer)
  if (answer === 'sound') return ok(check, `${issuer} answers.`)
  if (answer === 'another issuer')
    return problem(
      check,
      `The discovery document of ${issuer} names another issuer, so every token will be refused.`,
      'Set OIDC_ISSUER exactly as the document says, including a slash at its end.',
    )
  return problem(
    check,
    `The discovery document of ${issuer} cannot be read (${answer.code}).`,
    'Correct OIDC_ISSUER, or let this machine reach it.',
  )
}

/** Not by way of URL, which adds a slash where OIDC_ISSUER may have none, and that makes a difference. */
const withoutUserinfo = (address: string): string => address.replace(/^(\w+:[/\\]*)[^/\\?#]*@/, '$1')
