import { allRoutes, type RouteSpec } from '@atrium/contract'
import { numberedEvent, smallestDefinition } from '@atrium/testkit'
import { oddJson, withRaw } from './odd-json.ts'

/** A request with one odd value, without credentials. */
export interface OddRequest {
  route: RouteSpec
  path: string
  body?: string
}

interface Ids {
  experimentId: string
  roomId: string
  participantId: string
  sessionId: string
}

/** Every route with every odd value in each property of its body, in an unknown property, and in its URL. */
export function oddRequests(ids: Ids): OddRequest[] {
  return allRoutes.flatMap((route) => {
    const path = route.path.replace(/:(\w+)/g, (_, name: keyof Ids) => encodeURIComponent(ids[name]))
    const bodies = oddBodies(route, ids).map((body) => ({ route, path, body }))
    return [...bodies, ...oddAddresses(route, ids).map((odd) => ({ route, path: odd }))]
  })
}

function oddBodies(route: RouteSpec, ids: Ids): string[] {
  if (!route.body) return []
  const usual = usualBody(route, ids)
  const { properties = {} } = route.body as { properties?: Record<string, unknown> }
  const names = new Set([...Object.keys(properties), ...Object.keys(usual), 'unheardOf'])
  const replaced = [...names].flatMap((name) =>
    Object.values(oddJson).map((raw) => withRaw(usual, name, raw)),
  )
  const { events } = usual as { events?: Record<string, unknown>[] }
  const [event] = events ?? []
  if (!event) return [...replaced, ...Object.values(oddJson)]
  const inEvents = Object.keys({ ...event, eventId: '', unheardOf: '' }).flatMap((name) =>
    Object.values(oddJson).map((raw) => withRaw(usual, 'events', `[${withRaw(event, name, raw)}]`)),
  )
  return [...replaced, ...inEvents, ...Object.values(oddJson)]
}

/** In the path parameters, and in the query if the route has one. */
function oddAddresses({ path, query }: RouteSpec, ids: Ids): string[] {
  const texts = ['\0', '', '__proto__', '-1', '1e999', '9223372036854775808', '../../etc', 'x'.repeat(5_000)]
  const places = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
  const inPath = places.flatMap((place) =>
    texts.map((text) =>
      path.replace(/:(\w+)/g, (_, name: string) =>
        encodeURIComponent(name === place ? text : ids[name as keyof Ids]),
      ),
    ),
  )
  const usual = path.replace(/:(\w+)/g, (_, name: keyof Ids) => encodeURIComponent(ids[name]))
  const inQuery = Object.keys(query?.properties ?? {}).flatMap((name) =>
    texts.map((text) => `${usual}?${name}=${encodeURIComponent(text)}`),
  )
  return [...inPath, ...inQuery]
}

function usualBody({ path }: RouteSpec, { experimentId, participantId }: Ids): Record<string, unknown> {
  const end = path.split('/').at(-1)
  switch (end) {
    case 'join':
      return { experimentId, metadata: { source: 'lab' } }
    case 'events':
      return { experimentId, events: [numberedEvent(1)] }
    case 'complete':
      return { completionCode: 'ABANDONED', finalState: 's1', summary: { totalEvents: 0, duration: 1 } }
    case 'status':
      return { status: 'recruiting' }
    case 'guest':
      return { experimentId, externalId: 'p-1', guestSecret: 'gst_x' }
    case 'token':
      return { sub: 'someone', roles: [] }
    case 'rooms':
      return { participantIds: [participantId] }
    case 'shares':
      return { shares: [{ user: 'ada', access: 'view' }] }
    case 'keys':
      return { name: 'Odd', access: 'write', experiments: [experimentId], expiresAt: '2099-01-01T00:00:00Z' }
    case 'credentials':
    case ':credentialId':
      return { name: 'Lab', provider: 'Custom', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'odd', model: 'm' }
    case 'study-draft':
      return { description: 'Two people talk for five minutes.' }
    case 'pilots':
      return {
        rooms: 1,
        budget: { turns: 5 },
        agents: [{ id: 'a', name: 'A', provider: 'Scripted', instructions: '' }],
      }
    case 'draft':
      return { version: 0, basedOn: 1, definition: smallestDefinition() }
    case 'drafts':
      return { definition: smallestDefinition() }
    case 'publish':
      return { version: 1, basedOn: 1, start: false }
    case 'tries':
      return { definition: smallestDefinition(), speed: 5, startAt: 's1', fill: true }
    case 'message':
      return { text: 'Hello' }
    case 'dry-run':
      return { arrivals: { people: 4, perMinute: 60 }, matching: { groupSize: 2 }, seed: 'odd' }
    case 'experiments':
    case ':experimentId':
      return { ...smallestDefinition() }
    default:
      return {}
  }
}
