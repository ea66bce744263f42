import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import {
  allRoutes,
  envelopeKindOf,
  errorCatalogue,
  internalVideoRoutes,
  ParticipantError,
  PlainError,
  participantRoutes,
} from '@atrium/contract'
import { codeOf, describeInBothModes } from '@atrium/testkit'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { sendRaw } from './raw-http.ts'

const internalKey = 'a key that no page knows'
const { status: refused } = errorCatalogue.HOST_REFUSED

const head = (line: string, headers: readonly string[]): string =>
  `${[`${line} HTTP/1.1`, 'User-Agent: atrium-test/1.0', ...headers].join('\r\n')}\r\n\r\n`

const upgrade = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
]
const engine = '/socket.io/?EIO=4&transport='

describeInBothModes(
  'DNS rebinding while anyone can sign in as anyone',
  (world) => {
    const ask = (line: string, headers: readonly string[], address = world().front().http) =>
      sendRaw(address, head(line, headers))

    test('[H1] no route answers a page that lets its own name point here, and says in its envelope why', async () => {
      for (const { method, path: pattern } of allRoutes) {
        const path = pattern.replace(/:\w+/g, 'x')
        const answer = await ask(`${method} ${path}`, ['Host: evil.example:3000', 'Content-Length: 0'])
        const schema = envelopeKindOf(path) === 'participant' ? ParticipantError : PlainError
        expect.soft([answer.status, codeOf(answer)], path).toEqual([refused, 'HOST_REFUSED'])
        expect.soft(Value.Check(schema(['HOST_REFUSED']), answer.body), path).toBe(true)
        expect.soft(answer.headers.get('x-request-id'), path).toBeTruthy()
        expect.soft(answer.headers.has('x-ratelimit-reset'), path).toBe(schema === ParticipantError)
      }
    })

    test('[H1] pages, videos, objects, unknown addresses and odd methods are refused as well', async () => {
      const { http } = world().any()
      for (const line of [
        ...['/', '/assets/x.js', '/room/x', '/media/x/y', '/objects/x', '/nothing', '/%ff'].map(
          (path) => `GET ${path}`,
        ),
        ...['OPTIONS *', `OPTIONS ${participantRoutes.joinV4.path}`, 'TRACE /'],
        ...['PUT /objects/atrium/videos/x', 'POST /dev/nothing', `GET ${engine}polling`],
      ]) {
        const origin = 'Origin: https://lab.example.org'
        const preflight = 'Access-Control-Request-Method: POST'
        const answer = await sendRaw(http, head(line, ['Host: evil.example', origin, preflight]))
        expect.soft(answer.status, line).toBe(refused)
      }
      const headOnly = request(http, { method: 'HEAD', headers: { host: 'evil.example' } }).end()
      const [answer] = (await once(headOnly, 'response')) as [IncomingMessage]
      expect([answer.statusCode, await text(answer)]).toEqual([refused, ''])
    })

    test('[H1] an upgrade by a foreign name is refused, whatever its origin', async () => {
      for (const origin of [[], ['Origin: http://evil.example'], ['Origin: https://lab.example.org']]) {
        const answer = await ask(`GET ${engine}websocket`, ['Host: evil.example', ...upgrade, ...origin])
        expect([answer.status, codeOf(answer)]).toEqual([refused, 'HOST_REFUSED'])
      }
      const elsewhere = head('GET /elsewhere', ['Host: evil.example', ...upgrade])
      expect((await sendRaw(world().any().http, elsewhere)).status).toBe(refused)
    })

    test('[H1] a foreign name in a second Host, in the target or from a trusted proxy is refused too', async () => {
      const { http } = world().any()
      for (const [target, ...headers] of [
        ['/health/live', 'Host: localhost', 'Host: evil.example'],
        ['/health/live', 'Host: evil.example', 'Host: localhost'],
        ['http://evil.example/health/live', 'Host: localhost'],
        ['/health/live', 'Host: evil.example', 'X-Forwarded-Host: localhost'],
        ['/health/live', 'Host: localhost', 'X-Forwarded-Host: evil.example'],
      ])
        expect.soft((await ask(`GET ${target}`, headers, http)).status, `${target} ${headers}`).toBe(refused)
    })

    test('[R8] a target with a host of ours is answered in the envelope of its path', async () => {
      const line = `GET http://localhost${participantRoutes.discoverV4.path}`
      const { body } = await ask(line, ['Host: localhost'], world().any().http)
      expect(Value.Check(ParticipantError(['SESSION_INVALID']), body)).toBe(true)
    })

    test('[H1] this machine, addresses in numbers and configured names are answered, over HTTP and by sockets', async () => {
      for (const host of [
        ...['localhost', 'LOCALHOST.:80', 'atrium.localhost:3000', '127.0.0.1', '[::1]:3000', '192.0.2.7'],
        ...['study.example.org', 'Study.Example.org.:3000', 'lab.example.org:9'],
      ]) {
        expect.soft((await ask('GET /health/live', [`Host: ${host}`])).status, host).toBe(200)
        const socket = await ask(`GET ${engine}websocket`, [`Host: ${host}`, ...upgrade])
        expect.soft(socket.status, host).toBe(101)
      }
    })

    test('[H1] workers, who have a key, may call by the name that their network has for us', async () => {
      const line = `POST ${internalVideoRoutes.hlsProgress.path.replace(/:\w+/g, 'vid_none')}`
      const statusWith = async (key: string) =>
        (await ask(line, ['Host: router:3001', `X-Internal-Key: ${key}`, 'Content-Length: 0'])).status
      expect(await statusWith(internalKey)).toBe(400)
      expect(await statusWith('a guess')).toBe(refused)
    })
  },
  {
    router: true,
    env: {
      PUBLIC_URL: 'https://study.example.org',
      PAGE_ORIGINS: 'https://lab.example.org',
      INTERNAL_API_KEY: internalKey,
      TRUST_PROXY: 'loopback',
    },
  },
)
