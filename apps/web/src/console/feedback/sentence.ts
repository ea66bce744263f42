/** The server’s findings continue a sentence that begins with the name of a field; here they stand on their own. */
export function asSentence(finding: string): string {
  const text = finding.trim()
  // Only a word: an address or the name of a setting is written as it is.
  const begun = /^\p{Ll}+(?:[\s,;.]|$)/u.test(text)
    ? text.charAt(0).toLocaleUpperCase() + text.slice(1)
    : text
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}
