import type { Finding } from './finding.ts'

/** What a benchmark says in the end. */
export interface Section {
  /** Markdown. */
  text: string
  findings: Finding[]
}
