import type { OpenApiDocument, SchemaNode } from './document.ts'
import { resolveSchema } from './reading.ts'

const token = (prefix: string, characters: number) =>
  prefix + 'q7Xk2VbN9tRzL4mWc8YpJ0sHd3FgA6eUvT1oKiQxGwE'.slice(0, characters)

/** Realistic values by field name. */
const byName: Readonly<Record<string, unknown>> = {
  experimentId: 'exp_7Jq2mR4tVw9K',
  sessionId: token('sess_', 43),
  sessionToken: token('stkn_', 43),
  participantId: token('part_', 22),
  participantIds: [token('part_', 22)],
  roomId: 'room_3fK9xT2b',
  podId: 'atrium-0',
  role: 'participant',
  metadata: { source: 'prolific', externalId: '5f2c81d0' },
  name: 'Trust game',
  experimentName: 'Trust game',
  version: '0.1.0',
  openapi: '3.1.0',
  sub: 'user-1',
  email: 'ada@example.org',
  idToken: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c2VyLTEifQ.c2lnbmF0dXJl',
  stateId: 'instructions',
  fromState: 'welcome',
  toState: 'instructions',
  finalState: 'debriefing',
  componentId: 'trust_rating',
  value: 4,
  responseTime: 840,
  totalEvents: 42,
  duration: 600_000,
  completionCode: 'SUCCESS',
  redirectUrl: 'https://example.org/complete?cc=C1A2B3',
  recorded: 2,
  expiresIn: 86_400,
  availableSlots: 12,
  sessionEnded: true,
  type: 'state_transition',
  data: { fromState: 'welcome', toState: 'instructions' },
  components: [],
  globalComponents: [],
  flags: [],
  clockOffsetMs: -142,
  clockErrorMs: 18,
  revision: 1,
  startedAt: '2026-03-02T09:20:00.000Z',
  expiresAt: '2026-03-03T09:30:00.000Z',
  eventId: 'event-1',
  people: 200,
  seed: 'pilot-1',
  videoId: token('vid_', 22),
  fileId: token('file_', 22),
  hlsManifestKey: `videos/${token('vid_', 22)}/hls/master.m3u8`,
  credentialId: token('cred_', 22),
  baseUrl: 'https://model.example.org/v1',
  apiKey: token('atr_', 32),
  keyHint: 'A6eU',
  keyId: token('key_', 16),
  model: 'qwen3.6-27b',
  timeoutMs: 60_000,
  filename: 'film.mp4',
  contentType: 'video/mp4',
  fileSize: 1_258_291_200,
}

/** Optional fields that examples show; the others appear only in the table. */
const worthShowing = new Set([
  'role',
  'metadata',
  'finalState',
  'summary',
  'fromState',
  'responseTime',
  'email',
])
const smallObject = 6

/** A request shows the minimum; a response shows one item of each list. */
export type ExampleOf = 'request' | 'answer'

/** Returns an example that matches the schema. */
export function exampleOf(
  document: OpenApiDocument,
  schema: SchemaNode,
  kind: ExampleOf,
  name = '',
): unknown {
  const node = resolveSchema(document, schema)
  if (node.const !== undefined) return node.const
  if (node.examples) return node.examples[0]
  if (node.enum) return enumExample(node.enum, kind)
  if (node.properties) return objectExample(document, node, kind)
  if (node.anyOf) return exampleOf(document, node.anyOf[0] ?? {}, kind, name)
  if (Object.hasOwn(byName, name)) return byName[name]
  if (node.type === 'array') return listExample(document, node, kind)
  return plainExample(node)
}

/** Picks the value that fits the context: create returns `draft`, and a status request asks for `recruiting`. */
function enumExample(values: unknown[], kind: ExampleOf): unknown {
  const fitting = ['completed', kind === 'request' ? 'recruiting' : 'draft']
  return fitting.find((value) => values.includes(value)) ?? values[0]
}

function objectExample(document: OpenApiDocument, node: SchemaNode, kind: ExampleOf) {
  const properties = Object.entries(node.properties ?? {})
  const shown = properties.filter(
    ([name]) => node.required?.includes(name) || (properties.length <= smallObject && worthShowing.has(name)),
  )
  return Object.fromEntries(shown.map(([name, child]) => [name, exampleOf(document, child, kind, name)]))
}

function listExample(document: OpenApiDocument, node: SchemaNode, kind: ExampleOf): unknown[] {
  if (kind === 'request' && node.minItems === undefined) return []
  const items = resolveSchema(document, node.items ?? {})
  const forms = items.anyOf?.slice(0, 2) ?? [items]
  return forms.map((form) => exampleOf(document, form, kind))
}

function plainExample(node: SchemaNode): unknown {
  const type = Array.isArray(node.type) ? node.type[0] : node.type
  switch (type) {
    case 'string':
      return node.format === 'date-time' ? '2026-03-02T09:30:00.000Z' : 'welcome'
    case 'integer':
    case 'number':
      // A maximum this high marks a time in milliseconds since 1970.
      return (node.maximum ?? 0) > 1e15 ? 1_772_443_800_000 : (node.minimum ?? 0.5)
    case 'boolean':
      return true
    default:
      return {}
  }
}
