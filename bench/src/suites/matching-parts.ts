import { matchingSettingsOf, simulateMatching } from '../../../apps/server/src/modules/matching/index.ts'
import type { Finding } from '../report/finding.ts'
import { table } from '../report/table.ts'

const people = 2_000
const answers = { balanced: { for: 1, against: 1 }, 'three to one': { for: 3, against: 1 } } as const
type Crowd = keyof typeof answers

export interface PartsResult {
  /** Of waiting times in simulated time: the same on every machine. */
  rows: { crowd: Crowd; matched: number; meanMs: number; firstComeMatched: number; firstComeMeanMs: number }[]
  /** The longest that all proposals of one of these runs took together. */
  cpuMs: number
}

/** Two who are for and two who are against, while people arrive one after the other; and the same people by arrival alone. */
export function playWithParts(): PartsResult {
  const settings = matchingSettingsOf({
    name: 'Debate',
    states: [],
    matching: {
      groupSize: 4,
      compose: [
        { when: "opinion == 'for'", count: 2 },
        { when: "opinion == 'against'", count: 2 },
      ],
    },
  })
  let cpuMs = 0
  const crowds = Object.keys(answers) as Crowd[]
  const rows = crowds.map((crowd) => {
    const arrivals = { people, perMinute: 20, variables: { opinion: answers[crowd] } }
    const startedAt = performance.now()
    const result = simulateMatching({ settings, arrivals, seed: 'bench' })
    cpuMs = Math.max(cpuMs, performance.now() - startedAt)
    return {
      crowd,
      matched: result.people.matched,
      meanMs: result.waitMs?.mean ?? 0,
      firstComeMatched: result.firstCome?.matched ?? 0,
      firstComeMeanMs: result.firstCome?.waitMs?.mean ?? 0,
    }
  })
  return { rows, cpuMs }
}

const inSeconds = (ms: number): string => (ms / 1_000).toFixed(1)

export const textOfParts = ({ rows, cpuMs }: PartsResult): string => `### Two of this opinion, two of that

${table(
  ['2,000 people, 20 a minute', 'matched', 'mean wait s', 'by arrival alone: matched', 'mean wait s'],
  rows.map(({ crowd, matched, meanMs, firstComeMatched, firstComeMeanMs }) => [
    crowd,
    String(matched),
    inSeconds(meanMs),
    String(firstComeMatched),
    inSeconds(firstComeMeanMs),
  ]),
)}

- Simulated, with a proposal at each arrival. Whoever is of the larger half queues where opinions are uneven, and is matched as soon as two of the others are there.
- All proposals of a run took at most ${cpuMs.toFixed(0)} ms, those by arrival alone included.
`

export const findingsOfParts = ({ rows }: PartsResult): Finding[] =>
  rows.map(({ crowd, meanMs, firstComeMeanMs }) => ({
    what: `Mean wait, groups of two and two ÷ by arrival, ${crowd}`,
    value: meanMs / firstComeMeanMs,
  }))
