import {
  type About,
  codelessOutcomes,
  type ExperimentDefinition,
  type ValidationIssue,
} from '@atrium/contract'
import { componentTypeOf } from '@atrium/contract/components'

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

/** X70: people from Prolific who end with such an outcome have no way back. */
export function codelessWarnings(definition: ExperimentDefinition): ValidationIssue[] {
  if (definition.recruiting?.prolific === undefined) return []
  const missing = codelessOutcomes(definition)
  if (missing.length === 0) return []
  const message = `people from Prolific can end with ${missing.join(', ')} and get no code: give each one under \`codes\`, or say under \`noCode\` of \`completion\` why it has none`
  return [{ path: definition.completion ? '/completion' : '/recruiting/prolific', message }]
}

/** X71: people are measured besides their answers, and nothing that they see says so. */
export function untoldParadataWarnings({
  paradata = [],
  consent,
  states,
  globalComponents = [],
}: ExperimentDefinition): ValidationIssue[] {
  if (paradata.length === 0 || consent !== undefined) return []
  const components = [...states.flatMap((state) => state.components), ...globalComponents]
  if (components.some(({ type }) => componentTypeOf(type).asksForConsent)) return []
  const message =
    'people are not told that this is measured: add `consent`, whose page lists it, or a component that asks for consent and says so in its text'
  return [{ path: '/paradata', message }]
}
