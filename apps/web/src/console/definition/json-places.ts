import { limits } from '@atrium/contract'

/** Where a value stands in the text, as offsets. */
export interface Place {
  from: number
  to: number
}

type ReadJson =
  | { ok: true; value: unknown; places: ReadonlyMap<string, Place> }
  | { ok: false; message: string; at: number }

/**
 * Reads JSON and remembers where each value stands, by its JSON pointer. Browsers word syntax errors differently and
 * some give no place at all, so the text is walked here; the value itself is made by JSON.parse.
 */
export function readJson(text: string): ReadJson {
  const places = new Map<string, Place>()
  try {
    const end = skipBlanks(text, readValue({ text, places }, skipBlanks(text, 0), '', limits.jsonDepth))
    if (end < text.length) throw new SyntaxFault('there is something after the end of the definition', end)
    return { ok: true, value: JSON.parse(text), places }
  } catch (error) {
    if (error instanceof SyntaxFault) return { ok: false, message: error.message, at: error.at }
    throw error
  }
}

class SyntaxFault extends Error {
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

interface Walk {
  text: string
  places: Map<string, Place>
}

const scalar =
  /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy

/** Reads the value at `from` and gives the offset behind it. */
function readValue(walk: Walk, from: number, pointer: string, depth: number): number {
  const first = walk.text[from]
  const isNested = first === '{' || first === '['
  if (isNested && depth === 0) throw new SyntaxFault('this is nested too deep', from)
  const to = isNested ? readItems(walk, from, pointer, depth) : readScalar(walk.text, from)
  walk.places.set(pointer, { from, to })
  return to
}

function readScalar(text: string, from: number): number {
  scalar.lastIndex = from
  const found = scalar.exec(text)?.[0]
  if (found !== undefined) return from + found.length
  throw new SyntaxFault(faultAt(text, from), from)
}

function faultAt(text: string, from: number): string {
  if (from >= text.length) return 'the text ends here, but something is missing'
  const character = text[from]
  if (character === '"') return 'this text has no closing quote, or holds a character that must be escaped'
  if (character === "'") return 'texts stand in double quotes (")'
  if (character === '}' || character === ']') return 'a value is missing here; is there a comma too many?'
  return 'this is no value: expected a text in double quotes, a number, true, false, null, { or ['
}

function readItems(walk: Walk, from: number, pointer: string, depth: number): number {
  const { text } = walk
  const isObject = text[from] === '{'
  const close = isObject ? '}' : ']'
  let at = skipBlanks(text, from + 1)
  if (text[at] === close) return at + 1
  for (let index = 0; ; index += 1) {
    const name = isObject ? readName(text, at) : { key: String(index), next: at }
    at = readValue(walk, name.next, `${pointer}/${escapePointer(name.key)}`, depth - 1)
    at = skipBlanks(text, at)
    if (text[at] === close) return at + 1
    if (text[at] !== ',') throw new SyntaxFault(`a comma or ${close} is missing before this`, at)
    at = skipBlanks(text, at + 1)
  }
}

function readName(text: string, from: number): { key: string; next: number } {
  if (text[from] === '}') throw new SyntaxFault('there is a comma too many before this', from)
  if (text[from] !== '"') throw new SyntaxFault('a name in double quotes (") is missing here', from)
  const to = readScalar(text, from)
  const colon = skipBlanks(text, to)
  if (text[colon] !== ':') throw new SyntaxFault('a colon (:) is missing after the name', colon)
  return { key: String(JSON.parse(text.slice(from, to))), next: skipBlanks(text, colon + 1) }
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1
  return at
}

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
