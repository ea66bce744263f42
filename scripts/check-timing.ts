// Checks that no test depends on how fast the machine is (R41): no fixed sleeps, no assertions on elapsed time, no short
// limits. A line that does need a clock gives the reason, on the same line or the one before: `// timing: <reason>`.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const sleep =
  'is a fixed sleep; use waitUntil to wait for a condition, or pace between the actions of a client'
const clock = 'reads a clock; assert on order or counts, or measure in bench/'

const forbidden: { pattern: RegExp; because: string }[] = [
  { pattern: /['"](?:node:)?timers\/promises['"]/, because: sleep },
  { pattern: /\bsetTimeout\(/, because: sleep },
  { pattern: /\bwaitForTimeout\(/, because: sleep },
  { pattern: /\bpg_sleep\b/i, because: sleep },
  { pattern: /\bAtomics\.wait\(/, because: sleep },
  { pattern: /\bperformance\.(?:now|mark|measure)\(/, because: clock },
  { pattern: /\bhrtime\b/, because: clock },
  { pattern: /\bDate\.now\(\) - [a-z_$]/i, because: clock },
  { pattern: /\btimeoutMs: (?:\d{1,4}|\d_\d{3})\b/, because: 'is too short a limit for a busy machine' },
  {
    pattern: /\bvitest.*\bretry\b|\bretry: [1-9]/,
    because: 'repeats a test until it passes; find the cause instead',
  },
]

const testFiles = [
  '{apps,packages,bench,scripts}/**/*.{test,story,more,fault,long}.{ts,mjs}',
  'apps/*/test/**/*.{ts,mjs}',
  '{apps,packages}/*/src/**/test/**/*.ts',
]

/** Finds the violations in one test file. */
export function findTiming(file: string, source: string): string[] {
  const lines = source.split('\n')
  return lines.flatMap((line, index) => {
    const isExplained = [lines[index - 1] ?? '', line].some((text) => /\/\/ timing: \S/.test(text))
    if (isExplained) return []
    return forbidden
      .filter(({ pattern }) => pattern.test(line))
      .map(({ because }) => `${file}:${index + 1}: ${line.trim()}\n    ${because}`)
  })
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const isOurs = (file: string) => !file.includes('node_modules/') && !file.endsWith('check-timing.test.ts')
  const files = new Set(testFiles.flatMap((pattern) => globSync(pattern, { cwd: root })).filter(isOurs))
  const found = [...files].toSorted().flatMap((file) => findTiming(file, readFileSync(root + file, 'utf8')))
  for (const line of found) console.error(line)
  process.exitCode = found.length === 0 ? 0 : 1
}
