import type { About, ValidationIssue } from '@atrium/contract'

/** An id with a mistyped digit would name somebody else, or nobody. */
export const aboutWarnings = ({ about }: { about?: About }): ValidationIssue[] =>
  (about?.authors ?? []).flatMap(({ orcid }, at) =>
    orcid === undefined || hasCheckDigit(orcid)
      ? []
      : [
          {
            path: `/about/authors/${at}/orcid`,
            message: `${orcid} is no ORCID: its last digit does not match`,
          },
        ],
  )

/** ISO 7064, MOD 11-2. */
function hasCheckDigit(orcid: string): boolean {
  const digits = orcid.replaceAll('-', '')
  let total = 0
  for (const digit of digits.slice(0, -1)) total = (total + Number(digit)) * 2
  const check = (12 - (total % 11)) % 11
  return digits.endsWith(check === 10 ? 'X' : String(check))
}
