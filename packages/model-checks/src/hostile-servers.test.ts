import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { selfSigned } from '@atrium/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { check, createTestClock, messageOf, startStub } from './test/set-up.ts'

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

const at = (port: number, scheme = 'http') => ({
  baseUrl: `${scheme}://127.0.0.1:${port}/v1`,
  apiKey: 'atr_key',
})

it('[MC23] explains why a server cannot be reached', async () => {
  const gone = createServer()
  const port = await portOf(gone)
  await new Promise((resolve) => gone.close(resolve))
  expect(messageOf(await check(at(port)))).toBe(
    `endpoint unreachable: nothing listens at http://127.0.0.1:${port}/v1. Start the model server, and check the host and the port of the base URL.`,
  )
  const hangingUp = createServer((socket) => void socket.on('error', () => undefined).end())
  expect(messageOf(await check(at(await portOf(hangingUp))))).toContain(
    'closed the connection without an answer',
  )
  const noHttp = createServer(
    (socket) => void socket.on('error', () => undefined).end('SSH-2.0-OpenSSH_9.6\r\n'),
  )
  expect(messageOf(await check(at(await portOf(noHttp))))).toContain('does not speak HTTP')
  // Not a real look-up: what an unknown name leads to depends on the network of the machine.
  const unknownHost = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause: unknownHost }))
  expect(messageOf(await check({ baseUrl: 'http://no-such-host/v1', apiKey: 'k' }, { fetch }))).toContain(
    'endpoint unreachable: there is no host no-such-host',
  )
  expect(messageOf(await check(at(6000)))).toContain('Run the model server on another port')
})

it('[MC23] explains certificates and schemes', async () => {
  const tls = createTlsServer(selfSigned)
  const port = await portOf(tls)
  const untrusted = messageOf(await check(at(port, 'https')))
  expect(untrusted).toContain('endpoint unreachable: the certificate of 127.0.0.1')
  expect(untrusted).toContain('NODE_EXTRA_CA_CERTS')
  expect(messageOf(await check(at(port)))).toContain('If the server expects TLS')
  const stub = await startStub()
  expect(messageOf(await check(at(stub.port, 'https')))).toContain('If the server has no certificate')
})

it('[MC23] explains what the client of the platform refuses', async () => {
  const refusing = (code: string) => () => Promise.reject(Object.assign(new Error('The reason.'), { code }))
  const messageFor = async (code: string) => messageOf(await check(at(1), { fetch: refusing(code) }))
  expect(await messageFor('AGENT_ADDRESS_REFUSED')).toBe(
    'endpoint unreachable: the platform refuses the address of 127.0.0.1:1, or gets no connection. The reason.',
  )
  expect(await messageFor('REPLY_TOO_LARGE')).toContain('that the platform does not accept. The reason.')
  expect(await messageFor('HPE_INVALID_CONSTANT')).toContain('does not speak HTTP')
})

it('[MC22] names answers that are no JSON as what they are', async () => {
  const page = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Welcome</title>' }
  const html = await startStub({ onModels: () => page })
  expect(messageOf(await check(html))).toMatch(/^GET \/models returned 200 with a web page \(HTML\)/)
  const wordy = await startStub({ onModels: () => ({ body: 'Ollama is running' }) })
  expect(messageOf(await check(wordy))).toContain('its body is not JSON: “Ollama is running”')
  const shapeless = await startStub({ onModels: () => ({ body: { models: [] } }) })
  expect(messageOf(await check(shapeless))).toContain('not a list of models')
  const htmlLater = await startStub({ onCompletion: () => page })
  expect(messageOf(await check(htmlLater))).toMatch(/^chat\/completions returned 200 with a web page/)
})

it('[MC22] an endpoint that streams although not asked is told so, even if the stream never ends', async () => {
  const headers = { 'content-type': 'text/event-stream' }
  const streaming = await startStub({
    onCompletion: () => ({ headers, body: '', endlessly: ': still here\n\n' }),
  })
  expect(messageOf(await check(streaming))).toContain('returned 200 as a stream although none was asked for')
  const mislabelled = await startStub({
    onCompletion: () => ({
      headers: { 'content-type': 'application/json' },
      body: 'data: {}\n\ndata: [DONE]\n\n',
    }),
  })
  expect(messageOf(await check(mislabelled))).toContain('as a stream although none was asked for')
})

it('[MC20] bodies without an end and servers without an answer are cut off', async () => {
  const endless = await startStub({
    onModels: () => ({ body: '{"data":[', endlessly: '{"id":"m"},'.repeat(10_000) }),
  })
  expect(messageOf(await check(endless))).toContain('with a body of more than 8 MiB')
  const clock = createTestClock()
  const silent = await startStub({
    onCompletion: () => {
      clock.pass(300_000)
      return new Promise(() => undefined)
    },
  })
  const report = await check(silent, { clock })
  expect(messageOf(report)).toContain(
    "gave no answer in time, which exceeds the platform's 300s maximum timeout",
  )
})

it('[MC21] a redirect is not followed with the key', async () => {
  const other = await startStub()
  const location = `${other.baseUrl}/models`
  const redirecting = await startStub({ onModels: () => ({ status: 307, headers: { location } }) })
  expect(messageOf(await check(redirecting))).toContain(
    `GET /models returned 307, a redirect to “${location}”`,
  )
  expect(other.requests).toEqual([])
})

it('[MC24] words of the server are short, harmless and without the key', async () => {
  const body = { error: { message: `\u001B[2JKey atr_stub is\r\nunknown ${'x'.repeat(5_000)}` } }
  const stub = await startStub({ onCompletion: () => ({ status: 400, body }) })
  const message = messageOf(await check(stub))
  expect(message).toContain('chat/completions returned 400: “[2JKey <key> is unknown xxx')
  expect(message).not.toContain('atr_stub')
  expect(message.length).toBeLessThan(500)
})

it('[MC25] an aborted signal ends the request under way; what was found before is reported', async () => {
  const stop = new AbortController()
  const made: string[] = []
  const stub = await startStub({
    onCompletion: () => {
      stop.abort(new Error('enough'))
      return new Promise(() => undefined)
    },
  })
  const checking = check(stub, { signal: stop.signal, onChecked: ({ name }) => void made.push(name) })
  await expect(checking).rejects.toThrow('enough')
  expect(made).toEqual(['reachable'])
})
