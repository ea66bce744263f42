import { limits } from '@atrium/contract'
import {
  createScanner,
  findNodeAtOffset,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'

/** Where a value stands in the text, as offsets. */
export interface Place {
  from: number
  to: number
}

type ReadJson =
  | { ok: true; value: unknown; places: ReadonlyMap<string, Place> }
  | { ok: false; message: string; at: number }

/**
 * Reads JSON and notes where each value stands, by its JSON pointer. Browsers word syntax errors differently, and some
 * give no place at all, so jsonc-parser finds the places; JSON.parse makes the value.
 */
export function readJson(text: string): ReadJson {
  const tooDeep = firstTooDeep(text)
  if (tooDeep !== undefined) return { ok: false, message: 'this is nested too deep', at: tooDeep }
  const faults: ParseError[] = []
  const root = parseTree(text, faults, { disallowComments: true, allowTrailingComma: false })
  const [fault, next] = faults
  if (fault) return { ok: false, message: messageFor(text, fault, next, root), at: fault.offset }
  const places = new Map<string, Place>()
  if (root) notePlaces(root, '', places)
  try {
    return { ok: true, value: JSON.parse(text), places }
  } catch {
    // What jsonc-parser accepts and JSON does not.
    return { ok: false, message: 'this is not JSON', at: 0 }
  }
}

/** jsonc-parser calls itself for each level, so a text that is too deep must not reach it. */
function firstTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true)
  let depth = 0
  while (scanner.getPosition() < text.length) {
    scanner.scan()
    const first = text[scanner.getTokenOffset()]
    if (first === '{' || first === '[') depth += 1
    if (first === '}' || first === ']') depth -= 1
    if (depth > limits.jsonDepth) return scanner.getTokenOffset()
  }
  return undefined
}

function notePlaces(node: Node, pointer: string, places: Map<string, Place>): void {
  places.set(pointer, { from: node.offset, to: node.offset + node.length })
  for (const [index, child] of (node.children ?? []).entries()) {
    const [key, value] = child.type === 'property' ? (child.children ?? []) : [undefined, child]
    if (value) notePlaces(value, `${pointer}/${escapePointer(String(key?.value ?? index))}`, places)
  }
}

/** What to tell a researcher. One mistake often leads to more; the first two say what it was. */
function messageFor(
  text: string,
  fault: ParseError,
  next: ParseError | undefined,
  root: Node | undefined,
): string {
  const character = text[fault.offset]
  if (character === undefined) return 'the text ends here, but something is missing'
  if (root && fault.offset >= root.offset + root.length)
    return 'there is something after the end of the definition'
  switch (printParseErrorCode(fault.error)) {
    case 'CommaExpected':
      return `a comma or ${closing(root, fault.offset)} is missing before this`
    case 'ColonExpected':
      return 'a colon (:) is missing after the name'
    case 'PropertyNameExpected':
      return character === '}'
        ? 'there is a comma too many before this'
        : 'a name in double quotes (") is missing here'
    case 'InvalidCommentToken':
      return 'JSON has no comments'
    case 'InvalidSymbol':
      if (character === "'") return 'texts stand in double quotes (")'
      return next && printParseErrorCode(next.error) === 'PropertyNameExpected'
        ? 'a name in double quotes (") is missing here'
        : noValue
  }
  if (character === '"') return 'this text has no closing quote, or holds a character that must be escaped'
  if (character === '}' || character === ']') return 'a value is missing here; is there a comma too many?'
  return noValue
}

const noValue = 'this is no value: expected a text in double quotes, a number, true, false, null, { or ['

const closing = (root: Node | undefined, at: number): string =>
  root && findNodeAtOffset(root, at, true)?.type === 'array' ? ']' : '}'

/** RFC 6901. */
const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** The place of a pointer, or of the nearest thing around it: what is missing has no place of its own. */
export function placeOf(places: ReadonlyMap<string, Place>, pointer: string): Place {
  for (let known = pointer; ; known = known.slice(0, known.lastIndexOf('/'))) {
    const place = places.get(known)
    if (place) return place
    if (!known.includes('/')) return { from: 0, to: 0 }
  }
}

/** As editors count: both from 1. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}
