import type { TextPlace } from '@atrium/contract'
import type { Insert, ParsedTemplate } from '@atrium/expressions'
import { fieldReadAt, type Names, nodesIn, type SyntaxNode, syntaxIssues } from '@atrium/expressions'
import type { DeclaredNames } from './definition-names.ts'
import { maxFindings } from './findings.ts'
import { sourcesOfMembers } from './sources.ts'

/** What is wrong with a text, wherever it stands. */
export interface CheckedText {
  errors: readonly string[]
  warnings: readonly string[]
  /** The forms of each plural in it, which suffice for some languages and not for others. */
  plurals: readonly (readonly string[])[]
  values: ValuesInText
}

/** How many values a text shows, and how long they are as written. */
export interface ValuesInText {
  count: number
  characters: number
}

export interface TextChecks {
  declared: DeclaredNames
  /** What an expression in a text may refer to. */
  names: Names
  parse(text: string): ParsedTemplate
}

const refused = (...errors: string[]): CheckedText => ({
  errors,
  warnings: [],
  plurals: [],
  values: { count: 0, characters: 0 },
})

export function checkText(text: string, { format, isInRoom }: TextPlace, checks: TextChecks): CheckedText {
  if (!isInRoom) return refused('cannot contain {{…}}, because variables have values only in a room')
  const parsed = checks.parse(text)
  if (!parsed.ok) return refused(parsed.message)
  const { parts } = parsed.template
  const inserts = parts.filter((part) => typeof part !== 'string')
  return {
    errors: [
      ...issuesOfInserts(inserts, checks),
      ...(format === 'markdown' && hasAddressWithInsert(text)
        ? ['the address of a link or a picture cannot contain {{…}}']
        : []),
    ],
    warnings:
      format === 'markdown' && hasInsertInCode(parts)
        ? ['a value between backticks is shown with backslashes in it']
        : [],
    plurals: pluralsIn(inserts),
    values: {
      count: inserts.length,
      characters: inserts.reduce((sum, { written }) => sum + written.length, 0),
    },
  }
}

/** The distinct sets of forms: a text repeats the same few. */
function pluralsIn(inserts: readonly Insert[]): string[][] {
  const forms = inserts.flatMap(({ format }) =>
    format.kind === 'plural' ? [Object.keys(format.forms).toSorted()] : [],
  )
  return [...new Map(forms.map((names) => [names.join(), names])).values()]
}

/**
 * What a participant has written must not decide where a link leads. Runs are taken one by one: a pattern for the whole
 * text would begin again at every address, which took half a minute for a megabyte of them.
 */
function hasAddressWithInsert(text: string): boolean {
  const isBefore = (run: string, start: RegExp) => {
    const found = start.exec(run)
    return found !== null && run.includes('{{', found.index + found[0].length)
  }
  return (
    text.split(/[)\n]/).some((run) => isBefore(run, /\]\(/)) ||
    text.split('\n').some((line) => isBefore(line, /^ {0,3}\[[^\]]+\]:/)) ||
    text.split(/[\s)]/).some((run) => isBefore(run, /\b(?:https?:|www\.|mailto:)/i))
  )
}

/** Of a text that is wrong throughout, the first: nobody reads more, and each may look through all names. */
function issuesOfInserts(inserts: readonly Insert[], checks: TextChecks): string[] {
  const issues: string[] = []
  for (const insert of inserts) {
    if (issues.length >= maxFindings) break
    issues.push(...insertIssues(insert, checks))
  }
  return issues
}

function insertIssues({ expression }: Insert, { names, declared }: TextChecks): string[] {
  return [
    ...syntaxIssues(expression.root, names),
    ...[...nodesIn(expression.root)].flatMap((node) => secretIssues(node, declared)),
  ].map((message) => `{{${expression.text.trim()}}}: ${message}`)
}

function secretIssues(node: SyntaxNode, { variables, sources }: DeclaredNames): string[] {
  const read = fieldReadAt(node)
  const isOfMembers = read && sources.has(read.source) && sourcesOfMembers.includes(read.source)
  const name = isOfMembers ? read.name : node.kind === 'variable' ? node.name : undefined
  return name !== undefined && variables.get(name)?.secret ? [secretMessage(name)] : []
}

const secretMessage = (name: string) => `variable ‘${name}’ is secret, so participants cannot see it`

/** Whether a value stands in a code span or block, where Markdown has no escapes. */
function hasInsertInCode(parts: readonly (string | Insert)[]): boolean {
  const marks = parts.flatMap((part) => (typeof part === 'string' ? (part.match(/`+/g) ?? []) : [null]))
  let open: string | undefined
  for (const [at, mark] of marks.entries()) {
    if (mark === null) {
      // Backticks that are never closed are text.
      if (open !== undefined && marks.includes(open, at)) return true
    } else if (open === undefined) open = mark
    else if (mark === open) open = undefined
  }
  return false
}
