/** A figure that stands for a benchmark: a sentence in its section, and a row in the table of all of them. */
export interface Finding {
  /** What is measured, or what is divided by what. */
  what: string
  /** NaN if there was nothing to compare with. */
  value: number
  unit?: string
  digits?: number
  /** What we aim at: at most, or at least, this. */
  most?: number
  least?: number
}

/** A finding as an item of a list. `more` says where it comes from, or how to measure what is missing. */
export function findingLine(finding: Finding, more = ''): string {
  if (Number.isNaN(finding.value)) return `- ${finding.what}: not measured. ${more}`
  const remarks = [targetOf(finding) && `target ${targetOf(finding)}: ${verdict(isMet(finding))}`, more]
  const inBrackets = remarks.filter((remark) => remark !== '').join('; ')
  return `- ${finding.what}: **${figureOf(finding)}**${inBrackets && ` (${inBrackets})`}`
}

export const findingLines = (findings: Finding[]): string =>
  findings.map((finding) => findingLine(finding)).join('\n')

export function figureOf({ value, unit, digits = 2 }: Finding): string {
  return value.toFixed(digits) + (unit === undefined ? '' : ` ${unit}`)
}

/** Empty if there is no target. */
export function targetOf({ most, least }: Finding): string {
  if (most !== undefined) return `≤ ${most}`
  return least === undefined ? '' : `≥ ${least}`
}

export const isMet = ({
  value,
  most = Number.POSITIVE_INFINITY,
  least = Number.NEGATIVE_INFINITY,
}: Finding) => value <= most && value >= least

export const verdict = (met: boolean): string => (met ? 'met' : 'missed')
