/** How recruiting sites and survey tools write what they fill in; Prolific has the first, Qualtrics and MTurk the second. */
const enclosures = [
  ['{{', '}}'],
  ['${', '}'],
  ['[[', ']]'],
  ['[%', '%]'],
  ['{%', '%}'],
] as const

/**
 * Whether a value of a link is a placeholder that nobody has filled in, such as `{{%PROLIFIC_PID%}}`: in a preview, or
 * when the link was opened by hand. It names nobody, and everybody who comes with it would be one person.
 */
export function isUnfilledPlaceholder(value: string): boolean {
  // `prolific:…`: the site may stand before the id.
  const id = value.trim().replace(/^[a-z]{1,20}:/, '')
  return (
    enclosures.some(
      ([open, close]) => id.length >= open.length + close.length && id.startsWith(open) && id.endsWith(close),
    ) || /^%[A-Za-z_][\w.-]{0,200}%$/.test(id)
  )
}
