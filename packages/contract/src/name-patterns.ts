/** Ids that researchers choose: of states, roles, blocks, tables; also conditions and levels of factors. */
export const idPattern = '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$'

/** Names that expressions read: variables, columns, factors. */
export const identifierPattern = '^[A-Za-z_][A-Za-z0-9_]{0,63}$'

const rules: Readonly<Record<string, string>> = {
  [idPattern]:
    'must be 1 to 64 characters, only letters (A to Z, a to z), digits and _ . : -, without spaces, and begin with a letter or a digit',
  [identifierPattern]:
    'must be 1 to 64 characters, only letters (A to Z, a to z), digits and _, without spaces, and begin with a letter or _',
}

/** What names that match one of these are like. */
export const nameRule = (pattern: unknown): string | undefined => rules[String(pattern)]

/** What a text that does not match has to be; of other patterns, only that it is not. */
export const patternInWords = (pattern: unknown): string =>
  nameRule(pattern) ?? 'is empty, too long, or contains characters that are not allowed'
