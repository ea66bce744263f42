import type { Finding, Level } from './finding.ts'

const marks: Record<Level, string> = { ok: 'ok     ', warning: 'warning', problem: 'PROBLEM' }

/** For people: one line for each finding, and one for what to do. */
export function renderFindings(findings: Finding[]): string {
  const lines = findings.flatMap(({ check, level, found, mend }) => [
    `${marks[level]}  ${check}: ${found}`,
    ...(mend === undefined ? [] : [`         → ${mend}`]),
  ])
  return `${[...lines, '', summaryOf(findings)].join('\n')}\n`
}

function summaryOf(findings: Finding[]): string {
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length
  const [problems, warnings] = [count('problem'), count('warning')]
  return `${findings.length} findings: ${problems} ${problems === 1 ? 'problem' : 'problems'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`
}

export const isSound = (findings: Finding[]): boolean => findings.every(({ level }) => level !== 'problem')

/** For programs. */
export const jsonOf = (findings: Finding[]): string =>
  `${JSON.stringify({ ok: isSound(findings), findings }, undefined, 2)}\n`
