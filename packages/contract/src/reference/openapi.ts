import type { TObject } from 'typebox'
import { keyAccessOf } from '../api/key-access.ts'
import { type RouteAuth, type RouteSpec, researcherWorkOf } from '../api/route.ts'
import { limits } from '../limits.ts'
import type { OpenApiDocument, OperationObject, ParameterObject, PathItem } from './document.ts'
import { namedSchemas } from './named-schemas.ts'
import { createPlainSchemas, type PlainSchemas } from './plain-schema.ts'
import { responseHeaders, responsesOf } from './responses.ts'

const tagSentences: Readonly<Record<string, string>> = {
  'Participant API v4':
    'A participant joins with an ID token and receives a session, whose id is sent with all later calls.',
  'Participant API v3': 'The previous participant API, without sessions. Every call carries the ID token.',
  Experiments:
    'Researchers create, revise, open, close, share and export experiments. For anyone without access, the response is the same as for an unknown id.',
  Matching: 'Researchers try out matching before participants arrive.',
  Rooms: 'Researchers monitor and control rooms, and send messages to participants.',
  Uploads:
    'Researchers upload videos: small ones in one request, large ones in parts that go straight to the object store.',
  Tables: 'Researchers upload tables whose rows the trials of a block play.',
  Privacy: 'What is known of one participant, its deletion, and the audit log.',
  System: 'The instances that the platform runs on, and who has which role. For administrators.',
  Recruiting:
    'Studies at Prolific: drafts, submissions, approvals and bonuses. For people with edit access, never for API keys.',
  'API keys': 'Credentials with which a researcher’s scripts call this API in their name.',
  Agents: 'Language models that take part in experiments, and the servers that run them.',
  Media: 'Uploaded pictures and sounds, which components show and play.',
  Videos: 'Uploaded videos, which the platform turns into streams of several qualities.',
  Internal: 'Reports of the transcoding functions and workers, which hold `INTERNAL_API_KEY`.',
  Operations: 'Health and metrics of the instances, for operators.',
  Reference: 'This reference, as a web page and as an OpenAPI document.',
  Identity: 'How participants and researchers sign in.',
  'Development identity':
    'An issuer of ID tokens for development. Available only if no identity provider is configured.',
}

const securitySchemes: OpenApiDocument['components']['securitySchemes'] = {
  idToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An ID token from the identity provider (OpenID Connect), or a guest token where the route accepts guests. A required role must be granted by the token or the configuration; guests never have one.',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'atk_…',
    description:
      'An API key of a researcher, for scripts. Accepted where it is listed, with the access that is named there: `read`, which a `write` key has too, or `write`.',
  },
  session: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Session-Id',
    description:
      'The `sessionId` from join. `X-Session-Token` may carry the `sessionToken` as well; if sent, it must be valid.',
  },
  internal: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Internal-Key',
    description: 'The value of `INTERNAL_API_KEY`, which the server shares with functions and workers.',
  },
}

/** R7: admins may do everything that researchers may, so each route names the lowest role. */
const securityFor: Record<RouteAuth, OperationObject['security']> = {
  none: [],
  id_token: [{ idToken: [] }],
  session: [{ session: [] }],
  researcher: [{ idToken: ['researcher'] }],
  admin: [{ idToken: ['admin'] }],
  internal: [{ internal: [] }],
}

/** R49: an API key is accepted beside the ID token, if at all. */
function securityOf(route: RouteSpec): OperationObject['security'] {
  const access = keyAccessOf(route)
  return [...securityFor[route.auth], ...(access ? [{ apiKey: [access] }] : [])]
}

/** Builds the OpenAPI 3.1 document from the same route specifications that the server uses. */
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
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: {
        required: true,
        content: { [route.bodyType ?? 'application/json']: { schema: schemas.plain(route.body) } },
      },
    }),
    responses: responsesOf(route, schemas),
  }
}

/** R37 */
const accessSentences = {
  view: 'Allowed for the owner, everyone the experiment is shared with, and admins.',
  edit: 'Allowed for the owner, people with `edit` access, and admins. People with `view` access get 403.',
  owner:
    'Allowed for the owner and admins. People the experiment is shared with get 403. Examples have no owner.',
}
const accessSentence = ({ access }: RouteSpec): string => (access ? accessSentences[access] : '')

function rateLimitSentence(route: RouteSpec): string {
  const work = researcherWorkOf(route)
  const bound = (requests: number, whose: string) =>
    `Limit: ${requests} requests per ${limits.rateWindowSeconds} seconds and ${whose}`
  if (work)
    return `${bound(limits.researcherRequestsPerWindow[work], keyAccessOf(route) ? 'researcher or API key' : 'researcher')}, shared with similar requests.`
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
 * Derived from method and path, so that rewording a summary does not change it:
 * `POST /api/experiments/:experimentId/status` becomes `postExperimentStatus`. A collection followed by its parameter is
 * one item, hence the singular.
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
