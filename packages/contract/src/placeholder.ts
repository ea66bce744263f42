/** Placeholder syntax of recruiting sites and survey tools: Prolific uses the first, Qualtrics and MTurk the second. */
const enclosures = [
  ['{{', '}}'],
  ['${', '}'],
  ['[[', ']]'],
  ['[%', '%]'],
  ['{%', '%}'],
] as const

/**
 * Whether a value from a link is an unfilled placeholder such as `{{%PROLIFIC_PID%}}`, as in a preview or when the link
 * was opened by hand. Taken as an id, it would make everyone who arrives with it the same person.
 */
export function isUnfilledPlaceholder(value: string): boolean {
  // The site may precede the id: `prolific:…`.
  const id = value.trim().replace(/^[a-z]{1,20}:/, '')
  return (
    enclosures.some(
      ([open, close]) => id.length >= open.length + close.length && id.startsWith(open) && id.endsWith(close),
    ) || /^%[A-Za-z_][\w.-]{0,200}%$/.test(id)
  )
}
