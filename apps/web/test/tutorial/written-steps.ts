import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const docsFolder = fileURLToPath(new URL('../../../../docs', import.meta.url))

/** A step as the page tells it. */
export interface WrittenStep {
  title: string
  /** In bold: what stands on the screen, to press or to fill in. */
  named: string[]
  /** As `code`: what to type. */
  typed: string[]
  /** Names of the pictures, without the ending. */
  pictures: string[]
}

/** The numbered headings of docs/first-study.md, in order, with what stands below them. */
export function readWrittenSteps(): WrittenStep[] {
  const page = readFileSync(`${docsFolder}/first-study.md`, 'utf8')
  return page
    .split(/^## /m)
    .slice(1)
    .flatMap((part) => {
      const [heading = '', ...lines] = part.split('\n')
      const [, title] = /^\d+\. (.+)$/.exec(heading) ?? []
      if (title === undefined) return []
      const text = lines.join(' ').replaceAll(/```.*?```/g, '')
      return {
        title,
        named: distinct(text, /\*\*(.+?)\*\*/g),
        typed: distinct(text, /`(.+?)`/g),
        pictures: distinct(text, /\(first-study\/(.+?)\.webp\)/g),
      }
    })
}

const distinct = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, found = '']) => found))].sort()
