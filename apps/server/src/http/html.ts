/** A piece of HTML that is safe to put into a page. Only `html` makes one, and it escapes every string. */
export interface Html {
  readonly html: string
}

type Value = string | number | Html | readonly Html[]

export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { html: String.raw({ raw: strings }, ...values.map(rendered)) }
}

function rendered(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'html' in value ? value.html : value.map((each) => each.html).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

/** Text with `code` between backticks, as descriptions in the contract have it. */
export const prose = (text: string): Html => ({
  html: escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>'),
})

export const nothing: Html = { html: '' }
