import { errorCatalogue } from '../../packages/contract/src/index.ts'
import {
  callerOf,
  type DocumentedOperation,
  errorCodesOf,
  exampleOf,
  isSuccess,
  limitsOf,
  type OpenApiDocument,
  operationsByTag,
  type ParameterObject,
  type ResponseObject,
  refName,
  type SchemaNode,
  typeOf,
} from '../../packages/contract/src/reference/index.ts'
import { anchorOf, json, markdownFile, schemaTable, table } from './markdown.ts'

export function apiPage(document: OpenApiDocument): string {
  const tags = operationsByTag(document)
  return markdownFile([
    `# ${document.info.title} API, version ${document.info.version}`,
    `${document.info.description} See also the [OpenAPI document](openapi.json) and the [error codes](errors.md).`,
    'Every response of the participant API has `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, errors included. Every response has `X-Request-Id`; 429 and 503 have `Retry-After`.',
    table(
      ['Call', 'What it does'],
      tags.flatMap(({ operations }) =>
        operations.map((each) => [
          `[\`${callOf(each)}\`](#${anchorOf(callOf(each))})`,
          each.operation.summary,
        ]),
      ),
    ),
    ...tags.flatMap(({ name, description, operations }) => [
      `## ${name}`,
      description,
      ...operations.flatMap((each) => operationParts(document, each)),
    ]),
    '## Data types',
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      dataTypeParts(document, name, schema),
    ),
  ])
}

const callOf = ({ method, path }: DocumentedOperation) => `${method} ${path}`

function operationParts(document: OpenApiDocument, documented: DocumentedOperation): string[] {
  const { operation } = documented
  const body = operation.requestBody?.content['application/json']?.schema
  const answers = Object.entries(operation.responses)
  return [
    `### ${callOf(documented)}`,
    `${operation.summary}. Who may call: ${callerOf(operation)}.`,
    operation.description ?? '',
    operation.parameters ? parameterTable(operation.parameters) : '',
    ...(body ? bodyParts(document, body) : []),
    ...answers.filter(([status]) => isSuccess(status)).flatMap((answer) => answerParts(document, answer)),
    `Errors: ${answers
      .flatMap(([, answer]) => errorCodesOf(answer))
      .map((code) => `\`${code}\` (${errorCatalogue[code].status})`)
      .join(', ')}.`,
  ]
}

const parameterTable = (parameters: readonly ParameterObject[]): string =>
  table(
    ['Parameter', 'In', 'Type', 'Required', 'Meaning'],
    parameters.map(({ name, in: place, schema, required, description }) => [
      `\`${name}\``,
      place,
      [
        typeOf(schema)
          .map(({ text }) => text)
          .join(''),
        limitsOf(schema),
      ]
        .filter(Boolean)
        .join(', '),
      required ? 'yes' : 'no',
      description ?? '',
    ]),
  )

const named = (schema: SchemaNode) => {
  const name = refName(schema)
  return name === undefined ? '' : ` ([${name}](#${anchorOf(name)}))`
}

const bodyParts = (document: OpenApiDocument, schema: SchemaNode): string[] => [
  `Body${named(schema)}:`,
  schemaTable(document, schema, 'required'),
  json(exampleOf(document, schema, 'request')),
]

function answerParts(document: OpenApiDocument, [status, answer]: [string, ResponseObject]): string[] {
  const [contentType, content] = Object.entries(answer.content ?? {})[0] ?? []
  const heading = `Response ${status}${contentType ? `, \`${contentType}\`` : ''}: ${answer.description}.`
  if (!content || contentType === 'text/html') return [heading]
  return [
    heading,
    schemaTable(document, content.schema, 'none'),
    json(exampleOf(document, content.schema, 'answer')),
  ]
}

function dataTypeParts(document: OpenApiDocument, name: string, schema: SchemaNode): string[] {
  const fields = schemaTable(document, schema, 'required')
  const type = typeOf(schema)
    .map(({ text }) => text)
    .join('')
  return [`### ${name}`, schema.description ? `${schema.description}.` : '', fields || `\`${type}\``]
}
