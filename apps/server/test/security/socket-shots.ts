import { ClockPing, consoleEvents, roomActions, syncActions } from '@atrium/contract'
import fc from 'fast-check'

/** One event that a client sends, with its arguments. */
export interface Shot {
  name: string | number
  payloads: unknown[]
}

const actions: Record<string, { properties: object }> = {
  ...roomActions,
  ...syncActions,
  clock_ping: ClockPing,
}
const names = [...Object.keys(actions), 'leave_waiting']
/** Names with a meaning to an emitter, to Socket.IO, or to an object. */
const oddNames = [
  ...['error', '__proto__', 'constructor', 'connection', 'message', 'toString', '', 'room_event'],
  ...Object.keys(consoleEvents),
]
/** Reserved by Socket.IO: its parser refuses these. */
const reservedNames = [
  'connect',
  'connect_error',
  'disconnect',
  'disconnecting',
  'newListener',
  'removeListener',
]

const valid: fc.Arbitrary<Record<string, unknown>> = fc.record({
  actionId: fc.string({ minLength: 1, maxLength: 20 }),
  componentId: fc.constantFrom('rate', 'note', 'chat', 'film', 'nothing'),
  value: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.string({ maxLength: 20 })),
  text: fc.string({ maxLength: 20 }),
  reason: fc.string({ maxLength: 20 }),
  stateId: fc.constantFrom('ask', 'nowhere'),
  command: fc.constantFrom('play', 'pause', 'seek'),
  positionMs: fc.constantFrom(0, 0.5, 5_000, 864_000_000),
  rate: fc.constantFrom(0.25, 1, 4),
  status: fc.constantFrom('ready', 'stalled'),
  driftMs: fc.constantFrom(-86_400_000, 0, 1.5),
  rttMs: fc.constantFrom(0, 8_640_000_000_000_000),
  t0: fc.constantFrom(0, 12.5),
})

const hostileText = fc.oneof(
  fc.constantFrom('', '\0', '\ud800', '__proto__', 'constructor', "' OR 1=1 --", 'x'.repeat(70_000)),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, -1, 1.5, 1e300, -1e300, 2 ** 53, -0, [], {}, [[]], nested(63), nested(200)),
  fc.jsonValue({ maxDepth: 4 }),
)

/** A valid payload with one field changed, removed or added. */
const bent = fc
  .tuple(
    valid,
    fc.constantFrom(
      ...['actionId', 'componentId', 'value', 'text', 'visit', 'clientTime'],
      ...['command', 'positionMs', 'rate', 'status', 'driftMs', 'rttMs', 't0'],
    ),
    hostileValue,
  )
  .chain(([payload, field, value]) => {
    const { [field]: _gone, ...without } = payload
    return fc.constantFrom(
      { ...payload, [field]: value },
      without,
      Object.fromEntries([...Object.entries(payload), ['__proto__', value]]),
    )
  })

const payload = fc.oneof(
  { weight: 3, arbitrary: valid },
  { weight: 5, arbitrary: bent },
  { weight: 2, arbitrary: hostileValue },
)

/** An action with exactly its own properties. */
const sound: fc.Arbitrary<Shot> = fc
  .tuple(fc.constantFrom(...Object.entries(actions)), valid)
  .map(([[name, { properties }], fields]) => {
    const known = Object.entries(fields).filter(([field]) => field in properties)
    return { name, payloads: [Object.fromEntries(known)] }
  })

const anything: fc.Arbitrary<Shot> = fc.record({
  name: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: fc.constantFrom<string | number>(...oddNames, 7, 1e9) },
    {
      weight: 1,
      arbitrary: fc.string({ unit: 'binary', maxLength: 30 }).filter((name) => !reservedNames.includes(name)),
    },
  ),
  payloads: fc.oneof(
    { weight: 8, arbitrary: payload.map((one) => [one]) },
    { weight: 1, arbitrary: fc.array(payload, { maxLength: 3 }) },
  ),
})

/** Well-formed: each of these must be acknowledged. */
export const shots: fc.Arbitrary<Shot> = fc.oneof(
  { weight: 1, arbitrary: sound },
  { weight: 4, arbitrary: anything },
)

/** Nested deeper than any check should follow. As text, because JSON.stringify would fail. */
const deepAction = (name: string, levels: number) =>
  `["${name}",{"actionId":"deep${levels}","componentId":"note","value":${'['.repeat(levels)}${']'.repeat(levels)}}]`
const namespaces = fc.constantFrom(
  '',
  '/experiment,',
  '/waiting,',
  '/sync,',
  '/console,',
  '/experiment',
  '/nothing,',
  '/__proto__,',
  '/,',
)
const jsonText = fc.oneof(
  hostileValue.map((value) => JSON.stringify(value) ?? ''),
  fc.constantFrom(...reservedNames).map((name) => JSON.stringify([name, {}])),
  fc.constantFrom(
    '[',
    '{"',
    '[]',
    '[{}]',
    '[null]',
    '{}',
    '[["ready"]]',
    '["ready"',
    '1'.repeat(400),
    '-1["ready"]',
  ),
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(65, 5_000, 60_000))
    .map(([name, levels]) => deepAction(name, levels)),
)

/** Malformed: these may close the connection, but have no other effect. */
export const frames: fc.Arbitrary<string | Uint8Array<ArrayBuffer>> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(...'0122222223456789x'), namespaces, jsonText)
      .map(([type, namespace, rest]) => `4${type}${namespace}${rest}`),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '',
      '0',
      '1',
      '2',
      '3',
      '3probe',
      '4',
      '5',
      '6',
      'b',
      'bAAAA',
      '2probe',
      '42',
      '40',
      '41',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(60, 70, 5_000, 100_000).map((length) => `40/${'n'.repeat(length)},`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '451-["ready",{"_placeholder":true,"num":0}]',
      '459999999-["ready"]',
      '461-/experiment,1[]',
    ),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 100 }).map((bytes) => new Uint8Array(bytes)) },
)
