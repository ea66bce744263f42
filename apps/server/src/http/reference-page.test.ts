import { allRoutes, buildOpenApi, errorCodes, type OpenApiDocument, operationsByTag } from '@atrium/contract'
import { describe, expect, test } from 'vitest'
import { referencePagePolicy, renderReferencePage } from './reference-page.ts'

const document = buildOpenApi(allRoutes, { version: '1.2.3' })
const page = renderReferencePage(document)

const withSummary = (summary: string): OpenApiDocument => {
  const [route] = allRoutes
  if (!route) throw new Error('there are no routes')
  return buildOpenApi([{ ...route, summary, description: summary }], { version: '1' })
}

describe('the reference page', () => {
  test('shows every operation with its method, path and summary', () => {
    for (const { operations } of operationsByTag(document))
      for (const { path, operation } of operations) {
        expect(page).toContain(`id="${operation.operationId}"`)
        expect(page).toContain(`<code>${path}</code>`)
        expect(page).toContain(`<h3>${operation.summary}</h3>`)
      }
  })

  test('shows every error code in the catalogue', () => {
    for (const code of errorCodes) expect(page).toContain(`<tr id="error-${code}">`)
  })

  test('shows every data type', () => {
    for (const name of Object.keys(document.components.schemas)) expect(page).toContain(`id="schema-${name}"`)
  })

  test('every link within the page leads somewhere, and no id is given twice', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1])
    expect(new Set(ids).size).toBe(ids.length)
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1])
    expect(targets.filter((target) => !ids.includes(target))).toEqual([])
  })

  test('escapes whatever the document says', () => {
    const hostile = renderReferencePage(withSummary(`<script>alert("x")</script> & 'more' \`<b>\``))
    expect(hostile).not.toMatch(/<script|<b>/)
    expect(hostile).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;more&#39;')
    expect(hostile).toContain('<code>&lt;b&gt;</code>')
  })

  test('loads nothing and runs nothing', () => {
    expect(page).not.toMatch(/<(script|link|img|iframe|object|embed)\b/i)
    expect(page).not.toMatch(/\b(src|srcset)=|@import|url\(/i)
    expect(page).not.toMatch(/(href|action)="(https?:)?\/\//i)
    expect(page).not.toMatch(/ (on\w+|style)="/i)
    expect(referencePagePolicy).toMatch(/^default-src 'none'; style-src 'sha256-/)
  })

  test('can be used with a keyboard and on a phone', () => {
    expect(page).toContain('<a class="skip" href="#main">')
    expect(page).toContain('<main id="main"')
    expect(page).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">')
    expect(page).toContain('<html lang="en">')
  })

  test('the commands use the address of the document, or a local one', () => {
    expect(page).toContain('BASE=http://localhost:3000')
    const served = buildOpenApi(allRoutes, { version: '1', serverUrl: 'https://atrium.example/' })
    expect(renderReferencePage(served)).toContain('BASE=https://atrium.example</code>')
  })
})
