import { findUnstorable, limits } from '@atrium/contract'

export type BoundedJson =
  | { kind: 'json'; value: unknown }
  | { kind: 'not_json' }
  /** It is JSON, but a part of it is too deep, too wide or cannot be stored. `because` follows “part of it”. */
  | { kind: 'unusable'; because: string }

/** JSON from outside, safe for everything that recurses or stores. */
export function readBoundedJson(text: string): BoundedJson {
  if (isDeeperThan(text, limits.jsonDepth)) return { kind: 'unusable', because: 'is nested too deep' }
  const value = parse(text)
  if (value === undefined) return { kind: 'not_json' }
  const unstorable = findUnstorable(value, limits.jsonDepth)
  return unstorable ? { kind: 'unusable', because: unstorable.message } : { kind: 'json', value }
}

/** JSON has no `undefined`. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const [quotationMark, backslash] = [0x22, 0x5c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Before parsing: a megabyte of brackets takes `JSON.parse` 300 ms, in which nothing else happens, and this none. */
function isDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quotationMark) isInString = !isInString
    else if (isInString) at += code === backslash ? 1 : 0
    else if (code === openBracket || code === openBrace) {
      if (++depth > maxDepth) return true
    } else if (code === closeBracket || code === closeBrace) depth--
  }
  return false
}
