import { Validator } from '@seriousme/openapi-schema-validator'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { errorsOf, type RouteSpec } from '../api/route.ts'
import { allRoutes } from '../api/routes.ts'
import { errorCatalogue, errorCodes } from '../errors.ts'
import { exampleOf } from './example.ts'
import { fieldsOf } from './fields.ts'
import { namedSchemas } from './named-schemas.ts'
import { buildOpenApi, operationIdOf } from './openapi.ts'
import { callerOf, errorCodesOf, operationsByTag } from './reading.ts'
import { rateLimitHeaders } from './responses.ts'

const document = buildOpenApi(allRoutes, { version: '1.2.3' })
const operations = operationsByTag(document).flatMap((tag) => tag.operations)

const operationFor = (route: (typeof allRoutes)[number]) => {
  const found = operations.find(({ operation }) => operation.operationId === operationIdOf(route))
  if (!found) throw new Error(`${route.method} ${route.path} is not in the document`)
  return found
}

function* nodesOf(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Record<string, unknown>
  for (const child of Object.values(value)) yield* nodesOf(child)
}

const valueAt = (pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document)

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone({ ...document }))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  test('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })

  test('states its version and server address', () => {
    expect(document.info.version).toBe('1.2.3')
    expect(buildOpenApi([], { version: '1', serverUrl: 'https://example.org' }).servers).toEqual([
      { url: 'https://example.org' },
    ])
  })

  test('has no dangling references', () => {
    const dangling = [...nodesOf(document)]
      .map((node) => node.$ref)
      .filter((ref) => typeof ref === 'string' && valueAt(ref) === undefined)
    expect(dangling).toEqual([])
  })

  test('describes every tag in complete sentences', () => {
    for (const { name, description } of document.tags) expect(description, name).toMatch(/^[A-Z].*\.$/)
  })
})

describe('operations', () => {
  test('every route is listed under its method and path', () => {
    for (const route of allRoutes) {
      const { method, path } = operationFor(route)
      expect(`${method} ${path}`).toBe(`${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`)
    }
    expect(operations).toHaveLength(allRoutes.length)
  })

  test('operation ids are unique and follow from method and path', () => {
    expect(new Set(allRoutes.map(operationIdOf)).size).toBe(allRoutes.length)
    expect(operationIdOf({ method: 'POST', path: '/api/experiments/:experimentId/status' })).toBe(
      'postExperimentStatus',
    )
    expect(operationIdOf({ method: 'GET', path: '/' })).toBe('getHome')
  })

  test('every path parameter is declared', () => {
    for (const { path, operation } of operations) {
      const declared = (operation.parameters ?? [])
        .filter((each) => each.in === 'path')
        .map((each) => each.name)
      expect(declared, path).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))
    }
  })

  test('[R7] the lowest role is named with the credential', () => {
    const callers = new Map(allRoutes.map((route) => [route.auth, callerOf(operationFor(route).operation)]))
    expect(callers.get('none')).toBe('anyone')
    expect(callers.get('session')).toContain('X-Session-Id')
    expect(callers.get('researcher')).toContain('researchers and admins')
    const forAdmins = buildOpenApi([{ ...allRoutes[0], auth: 'admin' } as RouteSpec], { version: '1' })
    expect(operationsByTag(forAdmins)[0]?.operations.map(({ operation }) => callerOf(operation))).toEqual([
      'admins (`Authorization: Bearer`)',
    ])
  })
})

describe('responses', () => {
  test('[R9] every error code of a route is listed under its status', () => {
    for (const route of allRoutes) {
      const { responses } = operationFor(route).operation
      for (const code of errorsOf(route)) {
        const response = responses[errorCatalogue[code].status]
        expect(response?.description, `${route.path} ${code}`).toContain(code)
        expect(response?.description).toContain(errorCatalogue[code].sentence)
      }
      const listed = Object.values(responses).flatMap(errorCodesOf)
      expect(listed.toSorted(), route.path).toEqual(errorsOf(route).toSorted())
    }
  })

  test('[R9] 429 and 503 have Retry-After', () => {
    for (const { path, operation } of operations)
      for (const [status, { headers }] of Object.entries(operation.responses))
        expect('Retry-After' in headers, `${path} ${status}`).toBe(status === '429' || status === '503')
  })

  test('[R10] every v3 and v4 response has the three rate-limit headers, errors included', () => {
    const participant = operations.filter(({ path }) => /^\/api\/v[34]\//.test(path))
    expect(participant.length).toBeGreaterThan(0)
    for (const { path, operation } of participant)
      for (const [status, { headers }] of Object.entries(operation.responses))
        expect(Object.keys(headers), `${path} ${status}`).toEqual(
          expect.arrayContaining([...rateLimitHeaders]),
        )
  })

  test('[R9] every response has the request id', () => {
    for (const { operation } of operations)
      for (const { headers } of Object.values(operation.responses))
        expect(headers).toHaveProperty('X-Request-Id')
  })

  test('[R8] the participant API reports errors in its envelope, all other addresses in the plain one', () => {
    for (const { path, operation } of operations) {
      const refusal = operation.responses['500']?.content?.['application/json']?.schema.allOf?.[0]?.$ref
      const name = /^\/api\/v[34]\//.test(path) ? 'ParticipantError' : 'PlainError'
      expect(refusal, path).toBe(`#/components/schemas/${name}`)
    }
  })
})

describe('schemas', () => {
  test('a named schema is referenced, even where it is optional', () => {
    const definition = document.components.schemas.ExperimentDefinition
    expect(definition?.properties?.matching).toEqual({ $ref: '#/components/schemas/Matching' })
    expect(definition?.properties?.states?.items).toEqual({ $ref: '#/components/schemas/State' })
    expect(
      document.paths['/api/experiments']?.post?.requestBody?.content['application/json']?.schema,
    ).toEqual({
      $ref: '#/components/schemas/ExperimentDefinition',
    })
  })

  test('no two names refer to the same schema', () => {
    const contents = Object.values(namedSchemas).map((schema) => JSON.stringify(schema))
    expect(new Set(contents).size).toBe(contents.length)
  })

  test('a choice of strings is an enum', () => {
    expect(document.components.schemas.ExperimentStatus).toMatchObject({ type: 'string' })
    expect(document.components.schemas.PlainError?.properties?.code).toEqual({
      type: 'string',
      enum: errorCodes,
    })
    expect(document.components.schemas.PodHealth?.properties?.status?.enum).toEqual(['healthy', 'draining'])
  })

  test('fields are listed with their nesting, type and limits', () => {
    const fields = fieldsOf(document, { $ref: '#/components/schemas/Matching' })
    expect(fields[0]).toMatchObject({ name: 'groupSize', depth: 0, required: true })
    expect(fields[1]).toMatchObject({ name: 'min', depth: 1, limits: '1 to 1,000' })
    const [button, label, ...more] = fieldsOf(document, { $ref: '#/components/schemas/StateEnd' })
    expect(button).toMatchObject({ kind: 'alternative', name: 'on: "button"' })
    expect(label).toMatchObject({ name: 'label', depth: 1 })
    expect(more).toContainEqual(
      expect.objectContaining({ name: 'afterMs', depth: 1, limits: '0 to 86,400,000' }),
    )
  })

  test('examples of requests and responses match their schemas', () => {
    for (const route of allRoutes) {
      const { operation } = operationFor(route)
      const body = operation.requestBody?.content['application/json']?.schema
      if (route.body && body)
        expect(Value.Errors(route.body, exampleOf(document, body, 'request')), route.path).toEqual([])
      const answer = Object.values(operation.responses[route.success.status]?.content ?? {})[0]?.schema
      if (route.success.schema && answer)
        expect(Value.Errors(route.success.schema, exampleOf(document, answer, 'answer')), route.path).toEqual(
          [],
        )
    }
  })
})
