import { allRoutes, type RouteSpec } from '@atrium/contract'
import { createApi, createPerson, createResearcher, describeInOneMode, isEventStream } from '@atrium/testkit'
import { beforeAll, expect, test } from 'vitest'

const readable = allRoutes.filter(({ method }) => method === 'GET')

describeInOneMode('HEAD', (world) => {
  let params: Record<string, string>
  let credentials: Record<'everybody' | 'nobody', Record<string, string>>
  beforeAll(async () => {
    const api = createApi(() => world().any().http)
    const researcher = await createResearcher(api)
    const experimentId = await researcher.openExperiment()
    const session = await (await createPerson(api)).join(experimentId)
    const { participantId, sessionId, roomId } = session
    params = { participantId, sessionId, roomId, experimentId }
    const authorization = `Bearer ${await api.token('chief', ['admin'])}`
    credentials = { everybody: { authorization, 'x-session-id': sessionId }, nobody: {} }
  })

  async function send(method: string, { path }: RouteSpec, headers: Record<string, string>) {
    const address = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? name))
    const answer = await fetch(world().servers[0]?.http + address, {
      method,
      headers: { 'user-agent': 'atrium-test/1.0', ...headers },
    })
    return { answer, text: isEventStream(answer.headers) ? await firstOf(answer) : await answer.text() }
  }

  test.each(readable.map((route) => [route.path, route] as const))(
    '%s responds like GET, without a body',
    async (_path, route) => {
      for (const headers of Object.values(credentials)) {
        const { answer: get, text } = await send('GET', route, headers)
        const { answer: head, text: nothing } = await send('HEAD', route, headers)
        expect(head.status).toBe(get.status)
        expect(nothing).toBe('')
        for (const name of ['content-type', 'cache-control', 'etag', 'x-ratelimit-limit', 'www-authenticate'])
          expect(head.headers.get(name), name).toBe(get.headers.get(name))
        expect(head.headers.get('x-request-id')).toBeTruthy()
        const length = head.headers.get('content-length')
        // The length of an export or a stream is known only at its end.
        const isExport = /\/experiments\/:experimentId\/(.*\/)?(export|agent-turns|stream)$/.test(route.path)
        expect(length === null).toBe(head.status === 200 && isExport)
        // Metrics change from one request to the next.
        if (length !== null && get.status !== 200) expect(Number(length)).toBe(Buffer.byteLength(text))
      }
    },
  )

  test('counts against the limit of its endpoint like GET', async () => {
    const discover = readable.find(({ path }) => path === '/api/v4/participant/discover')
    if (!discover) throw new Error('there is no such route')
    const remaining = async (method: string) => {
      const { answer } = await send(method, discover, credentials.everybody)
      return Number(answer.headers.get('x-ratelimit-remaining'))
    }
    const before = await remaining('GET')
    expect(await remaining('HEAD')).toBe(before - 1)
    expect(await remaining('GET')).toBe(before - 2)
  })

  test('is available for /metrics, but not for routes without GET', async () => {
    const [server] = world().servers
    expect((await fetch(`${server?.metrics}/metrics`, { method: 'HEAD' })).status).toBe(200)
    for (const path of ['/api/v4/participant/events', '/api/nothing'])
      expect((await fetch(server?.http + path, { method: 'HEAD' })).status).toBe(404)
  })
})

async function firstOf({ body }: Response): Promise<string> {
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) return chunk
  return ''
}
