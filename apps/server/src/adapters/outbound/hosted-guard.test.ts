import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { openSocket } from './guarded-agents.ts'
import type { GuardOptions } from './guarded-fetch.ts'
import { createInternet, createTestSchedule, guard, startHttp, startRaw } from './test/guard-world.ts'
import { badHosts, publicHosts } from './test/hosts.ts'

const publicAddress = '93.184.215.14'
const otherPublicAddress = '2606:4700:4700::1111'

/** A hosted platform and the internet around it, in which every public address is one model server. */
async function startWorld(options: Partial<GuardOptions> & { reaches?: string } = {}) {
  const requests: string[] = []
  const port = await startHttp((request, response) => {
    requests.push(`${request.method} ${request.headers.host}${request.url}`)
    response.setHeader('content-type', 'application/json').end('{"data":[]}')
  }, true)
  const { reaches, ...rest } = options
  const { open, dialled } = createInternet({ port, ...(reaches !== undefined && { reaches }) })
  const resolve = async () => [publicAddress]
  return { ...guard({ hosted: true, open, resolve, ...rest }), requests, dialled }
}

/** Everything that a caller could see of it. */
async function refusalOf(attempt: Promise<unknown>) {
  const error: unknown = await attempt.then(
    () => undefined,
    (reason) => reason,
  )
  if (!(error instanceof Error)) throw new Error('it was not refused')
  return { ...error, name: error.name, message: error.message, cause: error.cause }
}

const theRefusal = {
  name: 'AppError',
  code: 'AGENT_ADDRESS_REFUSED',
  message: 'The model server cannot be used: it has to answer over https at a public address.',
  details: {},
  cause: undefined,
}

it('[R35,OG2] refuses every bad host without opening a connection or looking up a name', async () => {
  const resolved: string[] = []
  const resolve = async (name: string) => {
    resolved.push(name)
    return [publicAddress]
  }
  const { fetch, dialled } = await startWorld({ resolve })
  for (const host of badHosts)
    expect(await refusalOf(fetch(`https://${host}/v1/models`)), host).toEqual(theRefusal)
  expect({ resolved, dialled }).toEqual({ resolved: [], dialled: [] })
})

it('[R35,OG2] reaches public hosts, by name and by literal address', async () => {
  const { fetch, requests, accepts } = await startWorld()
  for (const host of publicHosts) {
    const response = await fetch(`https://${host}/v1/models`)
    expect(await response.json(), host).toEqual({ data: [] })
    expect(accepts(`https://${host}/v1`)).toBe(true)
  }
  expect(requests).toHaveLength(publicHosts.length)
  expect(requests[0]).toBe('GET 8.8.8.8/v1/models')
})

it('[R35,OG3] connects to exactly the addresses that were checked', async () => {
  const { fetch, dialled } = await startWorld({ resolve: async () => [publicAddress, otherPublicAddress] })
  await (await fetch('https://api.example.org/v1/models')).text()
  expect(dialled).toEqual([publicAddress, otherPublicAddress])
})

it('[R35,OG3] knocks at no more than a few addresses of a name', async () => {
  const resolve = async () => Array.from({ length: 500 }, (_, nth) => `93.184.${nth >> 8}.${nth & 255}`)
  const { fetch, dialled } = await startWorld({ resolve })
  await (await fetch('https://api.example.org/v1/models')).text()
  expect(dialled).toHaveLength(8)
})

it.each([
  [['127.0.0.1']],
  [['10.0.0.7']],
  [['169.254.169.254']],
  [['::1']],
  [['fd00::1']],
  [['::ffff:10.0.0.7']],
  [['64:ff9b::a00:7']],
  [['fe80::1%eth0']],
  [['not an address']],
  [[publicAddress, '127.0.0.1']],
  [[otherPublicAddress, publicAddress, 'fc00::1']],
])('[R35,OG3] a name that leads to %j is refused', async (addresses) => {
  const { fetch, requests, dialled } = await startWorld({ resolve: async () => addresses })
  expect(await refusalOf(fetch('https://api.example.org/v1/models'))).toEqual(theRefusal)
  expect({ requests, dialled }).toEqual({ requests: [], dialled: [] })
})

it('[R35,OG3] an address of this very machine is refused, even if it is public', async () => {
  const { fetch } = await startWorld({
    ownAddresses: () => ['127.0.0.1', publicAddress, '2606:4700:4700:0:0:0:0:1111'],
  })
  expect(await refusalOf(fetch('https://api.example.org/v1/models'))).toEqual(theRefusal)
  expect(await refusalOf(fetch(`https://${publicAddress}/v1/models`))).toEqual(theRefusal)
  expect(await refusalOf(fetch(`https://[${otherPublicAddress}]/v1/models`))).toEqual(theRefusal)
})

it('[R35,OG3] a name that is rebound to a private address is refused at the next connection', async () => {
  const answers = [[publicAddress], ['127.0.0.1'], [publicAddress]]
  const { fetch, requests } = await startWorld({ resolve: async () => answers.shift() ?? [] })
  const ask = () => fetch('https://rebinding.example.org/v1/models', { headers: { connection: 'close' } })
  expect(await (await ask()).text()).toBe('{"data":[]}')
  expect(await refusalOf(ask())).toEqual(theRefusal)
  expect(await (await ask()).text()).toBe('{"data":[]}')
  expect(requests).toHaveLength(2)
})

it.each(['127.0.0.1', '10.0.0.7', '::ffff:127.0.0.1', '::1', ''])(
  '[R35,OG4] a connection that has arrived at %j says nothing to it, not even the beginning of TLS',
  async (reaches) => {
    const received: Buffer[] = []
    const closed: Promise<void>[] = []
    const server = createServer((socket) => {
      socket.on('error', () => undefined).on('data', (data) => received.push(data))
      closed.push(new Promise((resolve) => socket.once('close', () => resolve())))
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const { open } = createInternet({ port, reaches })
    const { fetch } = guard({ hosted: true, open, resolve: async () => [publicAddress] })
    expect(await refusalOf(fetch('https://api.example.org/v1/models'))).toEqual(theRefusal)
    expect(await refusalOf(fetch(`https://${publicAddress}/v1/models`))).toEqual(theRefusal)
    await new Promise((resolve) => server.close(resolve))
    await Promise.all(closed)
    expect(received).toEqual([])
  },
)

async function portWhereNothingListens(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

it('[R35,OG5] private, unknown, silent and closed addresses cannot be told apart', async () => {
  const url = 'https://api.example.org/v1/models'
  const time = createTestSchedule()
  const { open } = createInternet({ port: await portWhereNothingListens() })
  const attempts: Record<string, [options: Partial<GuardOptions>, url: string]> = {
    private: [{ resolve: async () => ['10.0.0.7'] }, url],
    unknown: [{ resolve: async () => [] }, url],
    failing: [{ resolve: () => Promise.reject(new Error('ESERVFAIL')) }, url],
    literal: [{}, 'https://10.0.0.7/v1/models'],
    plain: [{}, url.replace('https', 'http')],
    malformed: [{}, 'https://[::1/v1/models'],
    secret: [{}, 'https://user:canary@api.example.org/v1/models'],
    closed: [{ open }, url],
    silent: [
      {
        schedule: time.schedule,
        resolve: () => {
          setImmediate(() => time.pass(8_000))
          return new Promise(() => undefined)
        },
      },
      url,
    ],
  }
  for (const [kind, [options, address]] of Object.entries(attempts)) {
    const { fetch } = await startWorld(options)
    expect(await refusalOf(fetch(address)), kind).toEqual(theRefusal)
  }
})

it('[R35,OG1] a certificate that is not trusted is refused, whatever the environment says', async () => {
  const port = await startHttp((_request, response) => void response.end('{}'), true)
  const { fetch } = guard({
    hosted: true,
    resolve: async () => [publicAddress],
    open(target) {
      expect(target).toMatchObject({ rejectUnauthorized: true })
      const socket = openSocket({ ...target, host: '127.0.0.1', port }, true)
      return Object.defineProperty(socket, 'remoteAddress', { value: publicAddress })
    },
  })
  expect(await refusalOf(fetch('https://api.example.org/'))).toMatchObject({
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  })
})

it('[R35,OG6] a redirect to the inside is not followed', async () => {
  const inside: string[] = []
  const insidePort = await startRaw((socket) => {
    inside.push('reached')
    socket.end()
  })
  for (const status of [301, 302, 303, 307, 308]) {
    const port = await startHttp((_request, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${insidePort}/` }).end()
    }, true)
    const { open } = createInternet({ port })
    const { fetch } = guard({ hosted: true, open, resolve: async () => [publicAddress] })
    const url = 'https://api.example.org/v1/models'
    expect(await refusalOf(fetch(url))).toMatchObject({ code: 'REDIRECT_REFUSED' })
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(status)
  }
  expect(inside).toEqual([])
})
