const placeholder = /\{\{\s*([^{}]+?)\s*\}\}/g

/** R20: what a redirect template may name. */
export const redirectPlaceholder = /^(code|participantId|metadata\.[^{}]+)$/

export const placeholdersOf = (template: string): string[] =>
  [...template.matchAll(placeholder)].map((match) => match[1] ?? '')

export interface RedirectFacts {
  code: string
  participantId: string
  metadata: Record<string, unknown>
}

/** Fills a redirect template; every value is URL-encoded, a missing one is empty. No template, no address. */
export function fillRedirect(template: string | undefined, facts: RedirectFacts): string {
  if (!template) return ''
  return template.replace(placeholder, (_whole, name: string) =>
    // Well-formed first: encodeURIComponent throws on a lone surrogate.
    encodeURIComponent(factNamed(name, facts).toWellFormed()),
  )
}

function factNamed(name: string, facts: RedirectFacts): string {
  if (name === 'code') return facts.code
  if (name === 'participantId') return facts.participantId
  const key = name.slice('metadata.'.length)
  const value = Object.hasOwn(facts.metadata, key) ? facts.metadata[key] : undefined
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
