import type { SchemaNode } from './document.ts'
import { type NamedSchemas, resolveSchema } from './reading.ts'

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
  mediaId: token('med_', 22),
  hlsManifestKey: `videos/${token('vid_', 22)}/hls/master.m3u8`,
  credentialId: token('cred_', 22),
  baseUrl: 'https://model.example.org/v1',
  apiKey: token('atr_', 32),
  keyHint: 'A6eU',
  keyId: token('key_', 16),
  model: 'qwen3.6-27b',
  timeoutMs: 60_000,
  filename: 'video.mp4',
  contentType: 'video/mp4',
  fileSize: 1_258_291_200,
  // Rooms and those in them.
  actionId: '0b6a2f4e-8c1d-4e57-9a3b-2d7f6c5e4b3a',
  alias: 'P2',
  isWaiting: false,
  ready: false,
  message: 'must be a number',
  text: 'I would keep 6 and give you 4.',
  messageId: token('msg_', 16),
  from: 'P2',
  reason: 'deadline',
  condition: 'high_stakes',
  outcome: 'SUCCESS',
  endReason: 'finished',
  state: 'offer',
  endsOn: 'all_responded',
  buttonLabel: 'Continue',
  instructions: 'Read the offer, then decide.',
  detail: 'trust_rating',
  cause: 'response',
  agent: 'Kim',
  agentId: 'seller',
  seq: 17,
  visit: 2,
  round: 2,
  rounds: 10,
  done: 3,
  of: 12,
  variables: { pot: 12 },
  room: { pot: 12 },
  self: { given: 4 },
  responses: { trust_rating: 4 },
  results: { quiz: { passed: true, attemptsLeft: 0, wrong: [] } },
  result: { passed: true, attemptsLeft: 0, wrong: [] },
  // Waiting.
  waiting: 3,
  needed: 1,
  neededToStart: 1,
  position: 2,
  waitedMs: 12_000,
  estimateMs: 20_000,
  held: null,
  // Clocks and media.
  t0: 81_230.4,
  t1: 1_772_443_800_012.25,
  t2: 1_772_443_800_012.31,
  positionMs: 12_400,
  rate: 1,
  driftMs: -18,
  rttMs: 42,
  durationMs: 90_000,
  awaySince: null,
  // Studies, people and what they made.
  id: 'instructions',
  description: 'Pilot of the trust game, March',
  path: '/states/0/components/0/min',
  key: `videos/${token('vid_', 22)}/source.mp4`,
  storageKey: `videos/${token('vid_', 22)}/source.mp4`,
  uploadId: 'upload-8c1f',
  etag: '9b2cf535f27731c974343645a3985328',
  jobId: 'job-4711',
  hlsNote: null,
  hlsError: null,
  posterUrl: null,
  playbackUrl: null,
  next: null,
  error: null,
  user: 'ada@example.org',
  person: 'user-1',
  owner: 'user-1',
  actor: 'user-1',
  savedBy: 'user-1',
  createdBy: 'user-1',
  subject: 'exp_7Jq2mR4tVw9K',
  language: 'en',
  guestSecret: 'q7Xk2VbN9tRzL4mWc8YpJ0sHd3FgA6eUvT1oKiQxGwE',
  tryId: token('try_', 16),
  pilotId: token('pilot_', 16),
  callId: token('call_', 22),
  turnId: token('turn_', 16),
  servedModel: 'qwen3.6-27b-q4',
  promptHash: '3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1b',
  studyId: '66f1c81d0a7e4b0012345678',
  submissionId: '66f1c9a20a7e4b0087654321',
  tokenHint: 'x9Qd',
  url: 'https://study.example.org/join/exp_7Jq2mR4tVw9K',
  link: 'https://study.example.org/join/exp_7Jq2mR4tVw9K',
  completedAt: '2026-03-02T09:50:00.000Z',
  code: 'C1A2B3',
  logo: 'https://example.org/logo.png',
  accent: '#1a5fb4',
  uptimeSeconds: 86_400,
  activeExperiments: 2,
  connectedClients: 48,
  disconnects: { transport_close: 3 },
  p50: 12,
  p99: 85,
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
export function exampleOf(document: NamedSchemas, schema: SchemaNode, kind: ExampleOf, name = ''): unknown {
  const node = resolveSchema(document, schema)
  if (node.const !== undefined) return node.const
  if (node.examples) return node.examples[0]
  if (!node.properties && Object.hasOwn(byName, name) && fits(byName[name], node)) return byName[name]
  if (node.enum) return enumExample(node.enum, kind)
  if (node.properties) return objectExample(document, node, kind)
  if (node.anyOf) return exampleOf(document, node.anyOf[0] ?? {}, kind, name)
  if (node.type === 'array') return listExample(document, node, kind)
  return plainExample(node)
}

/** Whether a value can stand there: names mean different things in different places. */
function fits(value: unknown, node: SchemaNode): boolean {
  if (node.const !== undefined) return node.const === value
  if (node.$ref) return false
  if (node.enum) return node.enum.includes(value)
  if (node.anyOf) return node.anyOf.some((form) => fits(value, form))
  if (typeof value === 'string' && node.pattern && !new RegExp(node.pattern, 'u').test(value)) return false
  if (typeof value === 'string' && node.format === 'date-time' && Number.isNaN(Date.parse(value)))
    return false
  if (typeof value === 'number' && (value < (node.minimum ?? value) || value > (node.maximum ?? value)))
    return false
  const types = [node.type ?? []].flat()
  return types.length === 0 || types.some((type) => isOfType(value, type))
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  return type === 'object'
    ? typeof value === 'object' && value !== null && !Array.isArray(value)
    : typeof value === type
}

/** Picks the value that fits the context: create returns `draft`, and a status request asks for `recruiting`. */
function enumExample(values: unknown[], kind: ExampleOf): unknown {
  const fitting = ['completed', kind === 'request' ? 'recruiting' : 'draft']
  return fitting.find((value) => values.includes(value)) ?? values[0]
}

function objectExample(document: NamedSchemas, node: SchemaNode, kind: ExampleOf) {
  const properties = Object.entries(node.properties ?? {})
  const shown = properties.filter(
    ([name]) => node.required?.includes(name) || (properties.length <= smallObject && worthShowing.has(name)),
  )
  return Object.fromEntries(shown.map(([name, child]) => [name, exampleOf(document, child, kind, name)]))
}

function listExample(document: NamedSchemas, node: SchemaNode, kind: ExampleOf): unknown[] {
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
