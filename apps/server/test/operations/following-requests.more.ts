import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { experimentRoutes, keyRoutes, requestIdHeader } from '@atrium/contract'
import {
  createApi,
  createResearcher,
  type OtlpReceiver,
  patience,
  type ReceivedSpan,
  type Server,
  startOtlpReceiver,
  startServer,
  startWorld,
  succeeded,
  type World,
  waitUntil,
} from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { agentsIn, bargaining, seller, sellingModel } from '../agents/bargaining.ts'
import { changeRows } from '../stories/database.ts'

const printLoaded = `--import=${new URL('./print-loaded.mjs', import.meta.url).href}`

type LogLine = Record<string, unknown> & { reqId?: string; msg?: string }

const linesOf = (program: Server): LogLine[] =>
  program
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line))

let receiver: OtlpReceiver
let world: World
beforeAll(async () => {
  receiver = await startOtlpReceiver()
  const env = { LOG_LEVEL: 'debug', NODE_OPTIONS: printLoaded, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }
  world = await startWorld('cluster', {
    servers: 1,
    router: true,
    env: { ...env, ...patience, TRUST_PROXY: 'loopback' },
    routerEnv: env,
  })
})
afterAll(async () => {
  await world?.stop()
  await receiver?.stop()
})

/** The only line with this message and id in the log of a program. */
async function logged(program: Server, msg: string, reqId: string): Promise<LogLine> {
  const find = () => linesOf(program).filter((line) => line.msg === msg && line.reqId === reqId)
  await waitUntil(() => find().length > 0 || `no “${msg}” for ${reqId}`)
  const [line, ...others] = find()
  expect(others).toEqual([])
  return line ?? {}
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${world.front().http}${path}`, { headers })

/** The spans of a trace once they have all been received. */
async function traceWith(names: string[], isIt: (spans: ReceivedSpan[]) => boolean): Promise<ReceivedSpan[]> {
  const find = () =>
    [...Map.groupBy(receiver.spans(), ({ traceId }) => traceId).values()].find(
      (spans) => names.every((name) => spans.some((span) => span.name === name)) && isIt(spans),
    )
  await waitUntil(() => find() !== undefined || `no such trace: ${names.join(', ')}`)
  return find() ?? []
}

describe('the id of a request', () => {
  test('that is well-formed goes from the router to the log of the server, and back', async () => {
    const response = await get('/api/experiments/none', { [requestIdHeader]: 'walk-1' })
    expect(response.headers.get(requestIdHeader)).toBe('walk-1')
    expect(await logged(world.any(), 'answered', 'walk-1')).toMatchObject({ method: 'GET', status: 401 })
    expect(await logged(world.front(), 'answered', 'walk-1')).toMatchObject({
      target: 'backend',
      status: 401,
    })
  })

  test('is made by the router if it is missing, long, odd or a credential', async () => {
    for (const brought of [
      undefined,
      'x'.repeat(65),
      'a b',
      'a"}',
      `sess_${'a'.repeat(43)}`,
      `atk_${'a'.repeat(54)}`,
    ]) {
      const response = await get('/health/pod', brought === undefined ? {} : { [requestIdHeader]: brought })
      const made = response.headers.get(requestIdHeader) ?? ''
      expect(made).toMatch(/^[0-9a-f-]{36}$/)
      await logged(world.any(), 'answered', made)
      await logged(world.front(), 'answered', made)
    }
  })

  test('is in the response that the router makes itself', async () => {
    for (const path of ['/health/router', '/api/room/room_unknown'])
      expect((await get(path, { [requestIdHeader]: 'own-1' })).headers.get(requestIdHeader)).toBe('own-1')
  })

  test('is in the line of an error, with the trace', async () => {
    const api = createApi(world.front().http)
    const { token } = await createResearcher(api)
    await changeRows(world, 'alter table experiments rename to elsewhere')
    onTestFinished(() =>
      changeRows(world, 'alter table elsewhere rename to experiments').catch(() => undefined),
    )
    const headers = { authorization: `Bearer ${token}`, [requestIdHeader]: 'broken-1' }
    const response = await get('/api/experiments', headers)
    await changeRows(world, 'alter table elsewhere rename to experiments')
    expect(response.status).toBe(500)
    const { level, traceId } = await logged(world.any(), 'request failed', 'broken-1')
    expect(level).toBe(50)
    const names = ['GET', 'GET /api/experiments']
    const spans = await traceWith(names, ([span]) => span?.traceId === traceId)
    const ofRequest = spans.filter(({ name }) => names.includes(name))
    expect(ofRequest.map(({ hasFailed }) => hasFailed)).toEqual([true, true])
  })

  test('of a socket is in the line of its handshake and in the response', async () => {
    const handshake = request(`${world.front().http}/socket.io/?EIO=4&transport=websocket`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        [requestIdHeader]: 'socket-1',
      },
    })
    handshake.end()
    const [response, socket] = (await once(handshake, 'upgrade')) as [
      IncomingMessage,
      import('node:net').Socket,
    ]
    expect(response.headers[requestIdHeader]).toBe('socket-1')
    // Socket.IO: connect to the namespace /experiment without a session, in a masked text frame.
    const packet = Buffer.from('40/experiment,{}')
    socket.write(Buffer.concat([Buffer.from([0x81, 0x80 + packet.length, 0, 0, 0, 0]), packet]))
    expect(await logged(world.any(), 'socket refused', 'socket-1')).toMatchObject({
      namespace: '/experiment',
      code: 'SESSION_INVALID',
    })
    socket.destroy()
  })
})

describe('a trace', () => {
  test('goes through the router, the server and its stores, also for a request with a body', async () => {
    const api = createApi(world.front().http)
    const { token } = await createResearcher(api)
    const body = { name: 'A traced study', states: [{ id: 's1', components: [] }] }
    const script = { name: 'Traced', access: 'write' }
    const { key } = succeeded(await api.call(keyRoutes.create, { token, body: script }))
    succeeded(await api.call(experimentRoutes.create, { token: key, body }))
    const spans = await traceWith(['POST /api/experiments', 'POST'], () => true)
    const [routed] = spans.filter(({ service }) => service === 'atrium-router')
    const served = spans.find(({ name }) => name === 'POST /api/experiments')
    const stored = spans.filter(({ name }) => name.startsWith('store experiments.'))
    expect(routed).toMatchObject({ name: 'POST', parentSpanId: undefined })
    expect(served).toMatchObject({ service: 'atrium-server', parentSpanId: routed?.spanId })
    expect(stored.map(({ parentSpanId }) => parentSpanId)).toContain(served?.spanId)
    expect(served?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/experiments',
      'atrium.complete': true,
    })
    expect(receiver.received()).not.toContain('A traced study')
    expect(receiver.received()).toContain('store keys.find')
    for (const credential of [token, key, 'atk_']) expect(receiver.received()).not.toContain(credential)
  })

  test('cannot be begun by a stranger', async () => {
    const traceId = 'ab'.repeat(16)
    await get('/api/identity', {
      traceparent: `00-${traceId}-${'cd'.repeat(8)}-01`,
      [requestIdHeader]: 'forged-1',
    })
    const { traceId: used } = await logged(world.any(), 'answered', 'forged-1')
    expect(used).not.toBe(traceId)
    await traceWith(['GET /api/identity', 'GET'], ([span]) => span?.traceId === used)
    expect(receiver.received()).not.toContain(traceId)
  })

  test('shows the actions of a room and the turns of its agents, but nothing that was said or who said it', async () => {
    const { table, model, buyer } = agentsIn(() => world)
    const { server, credentialId } = await model({ onCompletion: sellingModel })
    const experimentId = await table.open(bargaining([seller({ credentialId })]))
    const person = await buyer(experimentId)
    await person.socket.event('message', ({ message }) => message.text === 'I ask for 110.')
    await person.socket.act('send_message', { componentId: 'chat', text: 'A wordy deal.' })
    person.socket.close()
    const [action] = await traceWith(['action send_message'], (spans) =>
      spans.some(({ name }) => name.startsWith('store rooms.')),
    )
    expect(action?.service).toBe('atrium-server')
    const turn = await traceWith(['agent turn', 'model call'], () => true)
    const [call] = turn.filter(({ name }) => name === 'model call')
    expect(call).toMatchObject({
      parentSpanId: turn.find(({ name }) => name === 'agent turn')?.spanId,
      attributes: { 'atrium.outcome': 'replied' },
    })
    const { sessionId, sessionToken, token, participantId } = person
    const secrets = [sessionId, sessionToken, token, participantId, server.apiKey, 'wordy', 'I ask for 110']
    for (const secret of secrets) expect(receiver.received()).not.toContain(secret)
    expect(receiver.received()).not.toMatch(/sess_|ses_/)
  })
})

describe('OpenTelemetry', () => {
  test('is loaded by both programs where there is a collector', () => {
    for (const program of [world.any(), world.front()]) expect(program.stderr()).toMatch(/^loaded .*otlp/m)
  })

  test('is not loaded by a server without one', async () => {
    const server = await startServer({ env: { NODE_OPTIONS: printLoaded } })
    expect((await fetch(`${server.http}/health/ready`)).status).toBe(200)
    expect(server.stderr()).not.toContain('loaded')
    await server.stop()
  })
})
