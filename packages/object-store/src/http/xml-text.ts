const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
}

// XML 1.0 cannot express most control characters, not even escaped.
const unwritable = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

export const escapeXml = (text: string): string =>
  text.replace(unwritable, '\u{fffd}').replace(/[&<>"'\r]/g, (character) => entities[character] ?? '')

type XmlValue = string | number | boolean | XmlElement[]
export type XmlElement = readonly [name: string, value: XmlValue]

const element = ([name, value]: XmlElement): string =>
  `<${name}>${Array.isArray(value) ? value.map(element).join('') : escapeXml(String(value))}</${name}>`

/** A whole document in the namespace of S3. */
export const xmlDocument = (name: string, children: XmlElement[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">` +
  `${children.map(element).join('')}</${name}>`

/** Elements that are left out when there is nothing to say. */
export const optional = (name: string, value: string | number | undefined): XmlElement[] =>
  value === undefined ? [] : [[name, value]]
