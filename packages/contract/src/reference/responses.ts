import { errorsOf, type RouteSpec } from '../api/route.ts'
import { type EnvelopeKind, type ErrorCode, errorCatalogue } from '../errors.ts'
import type { OpenApiDocument, ResponseObject, SchemaNode } from './document.ts'
import { type PlainSchemas, schemaRef } from './plain-schema.ts'

export const rateLimitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

export const responseHeaders: OpenApiDocument['components']['headers'] = {
  'X-Request-Id': {
    description: 'Identifies this request in the server logs; include it when you report a problem',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: 'Requests allowed per window',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the current window',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Reset': {
    description: 'Unix time in seconds at which the window ends',
    schema: { type: 'integer', minimum: 0 },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt',
    schema: { type: 'integer', minimum: 0 },
  },
  Location: { description: 'Address to redirect to', schema: { type: 'string' } },
}

export function responsesOf(route: RouteSpec, schemas: PlainSchemas): Record<string, ResponseObject> {
  const success = { [route.success.status]: successResponse(route, schemas) }
  const byStatus = Map.groupBy(errorsOf(route), (code) => errorCatalogue[code].status)
  const failures = [...byStatus].sort(([one], [other]) => one - other)
  return {
    ...success,
    ...Object.fromEntries(failures.map(([status, codes]) => [status, errorResponse(route, status, codes)])),
  }
}

function successResponse(route: RouteSpec, schemas: PlainSchemas): ResponseObject {
  const {
    status,
    schema,
    contentType = 'application/json',
    furtherContentTypes = [],
    description,
  } = route.success
  const answer = { description, headers: headersOf(route, status) }
  const further = Object.fromEntries(
    furtherContentTypes.map((type) => [type, { schema: { type: 'string' } }]),
  )
  if (schema) return { ...answer, content: { [contentType]: { schema: schemas.plain(schema) }, ...further } }
  return route.success.contentType
    ? { ...answer, content: { [contentType]: { schema: { type: 'string' } } } }
    : answer
}

function errorResponse(route: RouteSpec, status: number, codes: ErrorCode[]): ResponseObject {
  return {
    description: codes.map((code) => `- \`${code}\`: ${errorCatalogue[code].sentence}`).join('\n'),
    headers: headersOf(route, status),
    content: { 'application/json': { schema: errorSchema(route.envelope, codes) } },
  }
}

function errorSchema(envelope: EnvelopeKind, codes: ErrorCode[]): SchemaNode {
  const code: SchemaNode = { type: 'string', enum: codes }
  return envelope === 'participant'
    ? {
        allOf: [{ $ref: schemaRef('ParticipantError') }, { properties: { error: { properties: { code } } } }],
      }
    : { allOf: [{ $ref: schemaRef('PlainError') }, { properties: { code } }] }
}

/** R9, R10: every participant API response has rate-limit headers; 429 and 503 have `Retry-After`. */
function headersOf(route: RouteSpec, status: number): ResponseObject['headers'] {
  const names = ['X-Request-Id']
  if (route.envelope === 'participant') names.push(...rateLimitHeaders)
  if (status === 429 || status === 503) names.push('Retry-After')
  if (status >= 300 && status < 400) names.push('Location')
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
