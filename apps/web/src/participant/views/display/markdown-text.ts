const reference = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z][a-z0-9]{1,31}));/gi

/** With character references, such as `&auml;` and `&#228;`, as the characters that they stand for. */
export const decoded = (text: string): string =>
  text.replace(reference, (written, hexadecimal?: string, decimal?: string) => {
    if (hexadecimal !== undefined) return characterAt(Number.parseInt(hexadecimal, 16))
    return decimal === undefined ? named(written) : characterAt(Number(decimal))
  })

const characterAt = (code: number): string =>
  code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code)

let field: HTMLTextAreaElement | undefined

/** Browsers know all two thousand names. What a text field is given becomes text, never elements. */
function named(written: string): string {
  if (typeof document === 'undefined') return written
  field ??= document.createElement('textarea')
  field.innerHTML = written
  return field.value
}

const safeSchemes = ['http:', 'https:', 'mailto:', 'tel:']

/** Where a link may lead: not to a script. Read as browsers read it, who ignore line breaks and letter case. */
export const isSafeLink = (address: string): boolean => safeSchemes.includes(schemeOf(address))

export const isSafePicture = (address: string): boolean =>
  ['http:', 'https:'].includes(schemeOf(address)) || /^data:image\//i.test(address)

/** A path has the scheme of the page. */
function schemeOf(address: string): string {
  const base = 'https://page.invalid/'
  return URL.canParse(address, base) ? new URL(address, base).protocol : ''
}
