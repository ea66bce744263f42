import {
  changeTexts,
  type ExperimentDefinition,
  groupSizeOf,
  inLanguage,
  languagesOf,
  shortLabelsOf,
  type TextPlace,
  type ValidationIssue,
} from '@atrium/contract'
import { expressionIssues, type Names } from '../expressions/check-expression.ts'
import { nodesIn, type SyntaxNode } from '../expressions/syntax.ts'
import { hasInserts, type Insert, parseTemplate } from '../texts/template.ts'
import { missingForms } from '../texts/value-format.ts'
import { type DeclaredNames, namesFor } from './definition-names.ts'
import { type Findings, finding, maxFindings } from './findings.ts'

/** Checks the values in every text, in each language. */
export function checkTexts(written: ExperimentDefinition, declared: DeclaredNames): Findings {
  const found: Findings = { errors: [], warnings: [] }
  const seen = new Set<string>()
  const keep = (kept: ValidationIssue[], issue: ValidationIssue): void => {
    const key = `${issue.path} ${issue.message}`
    if (kept.length < maxFindings && !seen.has(key)) kept.push(issue)
    seen.add(key)
  }
  const isLargeGroup = groupSizeOf(written).max > mostOthers
  for (const language of languagesOf(written))
    changeTexts(inLanguage(written, language), (text, place) => {
      if (typeof text !== 'string' || place.format === 'html' || !hasInserts(text)) return text
      for (const message of textErrors(text, place, declared, isLargeGroup))
        keep(found.errors, finding(place.path, message))
      for (const message of textWarnings(text, place, language))
        keep(found.warnings, finding(place.path, message))
      return text
    })
  for (const { path, text } of shortLabelsOf(written))
    if (hasInserts(text)) keep(found.errors, finding(path, valueIsRecorded))
  return found
}

const valueIsRecorded =
  'cannot contain {{…}}, because it is also the value that is recorded; give the option a value and a label'

/** Writing everyone's values into everyone's text grows with the square of the group. */
const mostOthers = 50

function textErrors(
  text: string,
  { format, isInRoom }: TextPlace,
  declared: DeclaredNames,
  isLargeGroup: boolean,
): string[] {
  if (!isInRoom) return ['cannot contain {{…}}, because variables have values only in a room']
  const parsed = parseTemplate(text)
  if (!parsed.ok) return [parsed.message]
  return [
    ...insertsOf(parsed.template.parts).flatMap((insert) => insertIssues(insert, declared)),
    ...(format === 'markdown' && hasAddressWithInsert(text)
      ? ['the address of a link or a picture cannot contain {{…}}']
      : []),
    ...(isLargeGroup && parsed.template.ofOthers.size > 0
      ? [`‘others’ can be used in groups of up to ${mostOthers} people; sum them up in a variable instead`]
      : []),
  ]
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

const insertsOf = (parts: readonly (string | Insert)[]): Insert[] =>
  parts.flatMap((part) => (typeof part === 'string' ? [] : [part]))

function insertIssues({ expression }: Insert, declared: DeclaredNames): string[] {
  const names = namesFor(declared, false)
  const known: Names = {
    ...names,
    participantVariables: new Set([...names.participantVariables, 'self', 'others']),
  }
  return [
    ...expressionIssues(expression.text, known),
    ...[...nodesIn(expression.root)].flatMap((node) => [
      ...memberIssues(node, declared),
      ...secretIssues(node, declared),
    ]),
  ].map((message) => `{{${expression.text.trim()}}}: ${message}`)
}

/** `self.x` and `others.x` are participant variables. */
function memberIssues(node: SyntaxNode, { variables, participantVariables }: DeclaredNames): string[] {
  if (node.kind !== 'member' || node.object.kind !== 'variable') return []
  const whose = node.object.name
  if ((whose !== 'self' && whose !== 'others') || variables.has(whose)) return []
  if (node.key.kind !== 'literal' || typeof node.key.value !== 'string')
    return [`‘${whose}’ needs the name of a variable, as in ${whose}.given`]
  const name = node.key.value
  if (!participantVariables.has(name))
    return [`‘${name}’ is not a participant variable, so ‘${whose}.${name}’ does not exist`]
  return variables.get(name)?.secret ? [secretMessage(name)] : []
}

const secretIssues = (node: SyntaxNode, { variables }: DeclaredNames): string[] =>
  node.kind === 'variable' && variables.get(node.name)?.secret ? [secretMessage(node.name)] : []

const secretMessage = (name: string) => `variable ‘${name}’ is secret, so participants cannot see it`

function textWarnings(text: string, { format: textFormat }: TextPlace, language: string): string[] {
  const parsed = parseTemplate(text)
  if (!parsed.ok) return []
  const forms = insertsOf(parsed.template.parts).flatMap(({ format }) => {
    const missing = format.kind === 'plural' ? missingForms(format.forms, language) : []
    return missing.length === 0
      ? []
      : [`‘${language}’ has more forms for numbers; ‘other’ is used for ${missing.join(', ')}`]
  })
  const isInCode = textFormat === 'markdown' && hasInsertInCode(parsed.template.parts)
  return isInCode ? [...forms, 'a value between backticks is shown with backslashes in it'] : forms
}

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
