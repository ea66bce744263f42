import {
  type ExampleOf,
  exampleOf,
  type Field,
  fieldsOf,
  limitsOf,
  type OpenApiDocument,
  type ParameterObject,
  type SchemaNode,
  type TypePart,
  typeOf,
} from '@atrium/contract'
import { type Html, html, nothing, prose } from './html.ts'

export const schemaAnchor = (name: string) => `schema-${name}`

export const typeHtml = (parts: readonly TypePart[]): Html =>
  html`${parts.map(({ text, schema }) =>
    schema === undefined ? html`${text}` : html`<a href="#${schemaAnchor(schema)}">${text}</a>`,
  )}`

/** The fields of an object as a table; nested ones are indented under their parent. */
export function fieldTable(document: OpenApiDocument, schema: SchemaNode, kind: ExampleOf): Html {
  const fields = fieldsOf(document, schema)
  return fields.length === 0 ? nothing : rowsTable(fields, kind)
}

export const parameterTable = (parameters: readonly ParameterObject[]): Html =>
  rowsTable(
    parameters.map(({ name, in: place, required, description = '', schema }) => ({
      kind: 'field',
      name,
      depth: 0,
      type: [...typeOf(schema), { text: ` in ${place}` }],
      limits: limitsOf(schema),
      required,
      description,
    })),
    'request',
  )

const rowsTable = (
  fields: readonly Field[],
  kind: ExampleOf,
): Html => html`<div class="scroll"><table class="fields">
<thead><tr><th scope="col">Name</th><th scope="col">Type</th>${kind === 'request' ? html`<th scope="col">Required</th>` : nothing}<th scope="col">Description</th></tr></thead>
<tbody>${fields.map((field) => fieldRow(field, kind))}</tbody></table></div>`

function fieldRow(field: Field, kind: ExampleOf): Html {
  const depth = Math.min(field.depth, 4)
  if (field.kind === 'alternative') return alternativeRow(field)
  // An answer holds what it shows, so only the exceptions are worth a word.
  const exception = kind === 'answer' && !field.required ? 'may be absent' : ''
  return html`<tr class="n${depth}"><td class="name d${depth}"><code>${field.name}</code></td>
<td class="type">${typeHtml(field.type)}${limitHtml(field.limits)}${limitHtml(exception)}</td>
${kind === 'request' ? requiredCell(field) : nothing}<td>${prose(field.description)}</td></tr>`
}

const requiredCell = ({ required }: Field): Html =>
  required
    ? html`<td><span class="must">required</span></td>`
    : html`<td><span class="may">optional</span></td>`

function alternativeRow(field: Field): Html {
  const name = field.name === '' ? typeHtml(field.type) : html`With <code>${field.name}</code>`
  const description = field.description === '' ? nothing : html` – ${prose(field.description)}`
  return html`<tr class="alternative"><td colspan="4"><strong>${name}</strong>${description}${limitHtml(field.limits)}</td></tr>`
}

const limitHtml = (limits: string): Html =>
  limits === '' ? nothing : html`<span class="limit">${prose(limits)}</span>`

export const exampleHtml = (document: OpenApiDocument, schema: SchemaNode, kind: ExampleOf): Html =>
  codeBlock(JSON.stringify(exampleOf(document, schema, kind), null, 2))

/** Focusable, because a keyboard must be able to scroll it sideways. */
export const codeBlock = (text: string): Html => html`<pre tabindex="0"><code>${text}</code></pre>`
