import { createHash } from 'node:crypto'
import { type OpenApiDocument, operationsByTag, typeOf } from '@atrium/contract'
import { type Html, html, nothing, prose } from './html.ts'
import { introduction } from './reference-introduction.ts'
import { methodBadge, operationArticle } from './reference-operation.ts'
import { fieldTable, schemaAnchor, typeHtml } from './reference-schema.ts'
import { referenceStyle } from './reference-style.ts'
import { errorCatalogueSection, limitsSection } from './reference-tables.ts'

/** The page loads nothing and runs nothing: its own style is all that a browser may apply. */
export const referencePagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(referenceStyle).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** The reference as one page that needs no script, no other file and no network. */
export function renderReferencePage(document: OpenApiDocument): string {
  const { title, version, description } = document.info
  const contents = tableOfContents(document)
  const brand = html`${title}<small>API ${version}</small>`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${referencePagePolicy}">
<title>${title} API reference</title>
<style>${{ html: referenceStyle }}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the reference</a>
<div class="layout">
<aside class="side"><p class="brand">${brand}</p><nav class="toc" aria-label="Contents">${contents}</nav></aside>
<details class="narrow"><summary>${title} API<span>Contents</span></summary><nav class="toc" aria-label="Contents">${contents}</nav></details>
<main id="main" tabindex="-1">
<h1>${title} API reference</h1>
<p class="lead">${prose(description)}</p>
<p>Version ${version}. The same as a file for programs: <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>
${introduction(baseUrlOf(document))}
${operationsByTag(document).map(
  (
    tag,
  ) => html`<section aria-labelledby="${tagAnchor(tag.name)}"><h2 id="${tagAnchor(tag.name)}">${tag.name}</h2>
<p>${prose(tag.description)}</p>
${tag.operations.map((operation) => operationArticle(document, operation))}</section>`,
)}
${schemaSection(document)}
${errorCatalogueSection()}
${limitsSection()}
</main>
</div>
</body>
</html>
`.html
}

const tagAnchor = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')

/** An address for the commands, even when the document only says "where you found it". */
function baseUrlOf(document: OpenApiDocument): string {
  const url = document.servers[0]?.url ?? '/'
  return url === '/' ? 'http://localhost:3000' : url.replace(/\/$/, '')
}

function tableOfContents(document: OpenApiDocument): Html {
  const entry = (anchor: string, text: string, below: Html = nothing) =>
    html`<li><a href="#${anchor}">${text}</a>${below}</li>`
  return html`<ul>${entry('start', 'The life of a participant')}${entry('conventions', 'Conventions')}
${operationsByTag(document).map(({ name, operations }) =>
  entry(
    tagAnchor(name),
    name,
    html`<ul>${operations.map(
      ({ method, path, operation }) =>
        html`<li><a href="#${operation.operationId}" title="${method} ${path}">${methodBadge(method)}<span>${operation.summary}</span></a></li>`,
    )}</ul>`,
  ),
)}
${entry('schemas', 'Data types')}${entry('errors', 'Errors')}${entry('limits', 'Limits')}</ul>`
}

const schemaSection = (document: OpenApiDocument): Html => html`<section aria-labelledby="schemas">
<h2 id="schemas">Data types</h2>
<p>Objects that several calls share, and the parts of an experiment’s definition.</p>
${Object.entries(document.components.schemas).map(([name, schema]) => {
  const fields = fieldTable(document, schema, 'request')
  return html`<article class="card" id="${schemaAnchor(name)}"><h3>${name}</h3>
<p>${prose(schema.description ?? '')}</p>
${fields === nothing ? html`<p class="type">${typeHtml(typeOf(schema))}</p>` : fields}</article>`
})}</section>`
