import type { TObject } from 'typebox'
import { type RouteAuth, type RouteSpec, researcherWorkOf } from './api/route.ts'
import { limits } from './limits.ts'
import type { OpenApiDocument, OperationObject, ParameterObject, PathItem } from './openapi/document.ts'
import { namedSchemas } from './openapi/named-schemas.ts'
import { createPlainSchemas, type PlainSchemas } from './openapi/plain-schema.ts'
import { responseHeaders, responsesOf } from './openapi/responses.ts'

const tagSentences: Readonly<Record<string, string>> = {
  'Participant API v4':
    'A participant joins with an ID token, receives a session, and carries its id on the calls that follow.',
  'Participant API v3': 'The former participant API, without sessions: every call carries the ID token.',
  Experiments:
    'Researchers create experiments, revise them, open and close them, share them, and export what was recorded. To everyone else an experiment does not exist: the answer is the one for an unknown id.',
  Matching: 'Researchers try how people would be brought together before anyone comes.',
  Rooms: 'Researchers watch rooms, steer them, and speak to the people in them.',
  Operations: 'Health and figures of the instances, for those who run the platform.',
  Reference: 'This reference, for people and for programs.',
  Identity: 'How people sign in; pages ask this first.',
  'Development identity':
    'An issuer of ID tokens for development; it is there only while no identity provider is configured.',
}

const securitySchemes: OpenApiDocument['components']['securitySchemes'] = {
  idToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An ID token of the identity provider (OpenID Connect), or a guest’s where the route takes guests. Where a role is required, the token or the configuration must grant it; a guest never has one.',
  },
  session: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Session-Id',
    description:
      'The `sessionId` from join. `X-Session-Token` may carry the `sessionToken` beside it; when it is sent it must be right.',
  },
}

/** R7: an admin may do all that a researcher may, so each route names the least role. */
const securityFor: Record<RouteAuth, OperationObject['security']> = {
  none: [],
  id_token: [{ idToken: [] }],
  session: [{ session: [] }],
  researcher: [{ idToken: ['researcher'] }],
  admin: [{ idToken: ['admin'] }],
}

/** The reference as OpenAPI 3.1. Whatever it says comes from the route specifications that the server runs on. */
export function buildOpenApi(
  routes: readonly RouteSpec[],
  info: { version: string; serverUrl?: string },
): OpenApiDocument {
  const schemas = createPlainSchemas(namedSchemas)
  const paths: Record<string, PathItem> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Atrium',
      version: info.version,
      description: 'Atrium runs online experiments with people and language-model agents.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: info.serverUrl ?? '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({
      name,
      description: tagSentences[name] ?? name,
    })),
    paths,
    components: { schemas: schemas.components(), headers: responseHeaders, securitySchemes },
  }
}

function operationOf(route: RouteSpec, schemas: PlainSchemas): OperationObject {
  const description = [route.description, accessSentence(route), rateLimitSentence(route)]
    .filter(Boolean)
    .join('\n\n')
  const parameters = [
    ...parametersOf('path', route.params, schemas),
    ...parametersOf('query', route.query, schemas),
    ...parametersOf('header', route.headers, schemas),
  ]
  return {
    operationId: operationIdOf(route),
    tags: [route.tag],
    summary: route.summary,
    ...(description && { description }),
    security: securityFor[route.auth],
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: { required: true, content: { 'application/json': { schema: schemas.plain(route.body) } } },
    }),
    responses: responsesOf(route, schemas),
  }
}

/** R37 */
const accessSentences = {
  view: 'For the owner of the experiment, everyone it is shared with, and admins.',
  edit: 'For the owner of the experiment, those it is shared with as `edit`, and admins. Those who may only view it get 403.',
  owner:
    'For the owner of the experiment and admins. Others it is shared with get 403. An example has no owner.',
}
const accessSentence = ({ access }: RouteSpec): string => (access ? accessSentences[access] : '')

function rateLimitSentence(route: RouteSpec): string {
  const work = researcherWorkOf(route)
  const bound = (requests: number, whose: string) =>
    `At most ${requests} requests in ${limits.rateWindowSeconds} seconds per ${whose}`
  if (work)
    return `${bound(limits.researcherRequestsPerWindow[work], 'researcher')}, with others of its kind.`
  if (route.addressLimit)
    return `${bound(limits.requestsPerAddressPerWindow[route.addressLimit], 'address')}.`
  if (!route.rateLimit) return ''
  return `${bound(limits.requestsPerWindow[route.rateLimit], route.auth === 'session' ? 'session' : 'person')}.`
}

function parametersOf(
  place: ParameterObject['in'],
  fields: TObject | undefined,
  schemas: PlainSchemas,
): ParameterObject[] {
  if (!fields) return []
  const required = new Set<string>(fields.required ?? [])
  return Object.entries(fields.properties).map(([name, field]) => {
    const { description, ...schema } = schemas.plain(field)
    return {
      name,
      in: place,
      required: place === 'path' || required.has(name),
      ...(description && { description }),
      schema,
    }
  })
}

/**
 * From method and path, so that it stays when a summary is reworded: `POST /api/experiments/:experimentId/status`
 * is `postExperimentStatus`. A collection followed by its parameter is one thing, hence the singular.
 */
export function operationIdOf({ method, path }: Pick<RouteSpec, 'method' | 'path'>): string {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== 'api')
  const words = segments.flatMap((segment, at) => {
    if (segment.startsWith(':')) return []
    return (segments[at + 1]?.startsWith(':') ? segment.replace(/s$/, '') : segment).split(/[^A-Za-z0-9]+/)
  })
  const names = words.length > 0 ? words : ['home']
  return method.toLowerCase() + names.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
