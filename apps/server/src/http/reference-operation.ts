import {
  callerOf,
  type DocumentedOperation,
  errorCatalogue,
  errorCodesOf,
  isSuccess,
  type OpenApiDocument,
  type ResponseObject,
  refName,
  type SchemaNode,
} from '@atrium/contract'
import { type Html, html, nothing, prose } from './html.ts'
import { exampleHtml, fieldTable, parameterTable, schemaAnchor } from './reference-schema.ts'

export const methodBadge = (method: string): Html =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>`

export const codeAnchor = (code: string) => `error-${code}`

/** One operation: who may call it, what it takes, what it answers, how it refuses. */
export function operationArticle(
  document: OpenApiDocument,
  { method, path, operation }: DocumentedOperation,
): Html {
  const answers = Object.entries(operation.responses)
  const description = (operation.description ?? '').split('\n\n').filter(Boolean)
  return html`<article class="card" id="${operation.operationId}">
<h3>${operation.summary}</h3>
<div class="route">${methodBadge(method)}<code>${path}</code></div>
<p class="caller">Who may call: ${prose(callerOf(operation))}</p>
${description.map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
${operation.parameters ? html`<h4>Parameters</h4>${parameterTable(operation.parameters)}` : nothing}
${bodySection(document, requestSchema(operation.requestBody))}
${answers.filter(([status]) => isSuccess(status)).map(([status, answer]) => answerSection(document, status, answer))}
${errorSection(answers.filter(([status]) => !isSuccess(status)))}
</article>`
}

const requestSchema = (body: DocumentedOperation['operation']['requestBody']) =>
  body?.content['application/json']?.schema

function bodySection(document: OpenApiDocument, schema: SchemaNode | undefined): Html {
  if (!schema) return nothing
  return html`<h4>Body ${namedType(schema)}</h4>${fieldTable(document, schema, 'request')}
<h4>Example body</h4>${exampleHtml(document, schema, 'request')}`
}

function namedType(schema: SchemaNode): Html {
  const name = refName(schema)
  return name === undefined ? nothing : html`<a href="#${schemaAnchor(name)}">${name}</a>`
}

function answerSection(document: OpenApiDocument, status: string, answer: ResponseObject): Html {
  const [contentType, content] = Object.entries(answer.content ?? {})[0] ?? []
  const heading = html`<h4>Answer ${status}</h4>
<p>${prose(answer.description)}${contentType ? html` (<code>${contentType}</code>)` : nothing}</p>`
  if (!content || contentType === 'text/html') return heading
  return html`${heading}${fieldTable(document, content.schema, 'answer')}
<h4>${contentType === 'application/x-ndjson' ? 'Example line, unfolded' : 'Example answer'}</h4>${exampleHtml(document, content.schema, 'answer')}`
}

function errorSection(failures: [string, ResponseObject][]): Html {
  const rows = failures
    .flatMap(([, answer]) => errorCodesOf(answer))
    .map(
      (code) => html`<tr><td><a href="#${codeAnchor(code)}"><code>${code}</code></a></td>
<td class="status">${errorCatalogue[code].status}</td><td>${prose(errorCatalogue[code].sentence)}</td></tr>`,
    )
  return html`<details class="errors"><summary>Errors <span>${failures.map(([status]) => status).join(' · ')}</span></summary>
<div class="scroll"><table class="codes"><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody></table></div></details>`
}
