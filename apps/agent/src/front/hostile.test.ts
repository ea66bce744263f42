import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { waitUntil } from '@atrium/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { type FrontWorld, frontKey, post, respond, startFrontWorld, turn } from '../../test/front-world.ts'
import { completion, json } from '../../test/stub-upstream.ts'

let world: FrontWorld

afterEach(() => world?.stop())

/** Sends these bytes and reads until the connection ends. */
async function said(bytes: string): Promise<string> {
  const socket = connect(world.front.port, '127.0.0.1')
  socket.write(bytes)
  return await text(socket)
}

const key = `authorization: Bearer ${frontKey}\r\n`
const chat = JSON.stringify(turn)
const statusesIn = (answer: string) =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code))

describe('without the key', () => {
  const strange: Record<string, string> = {
    'an absolute address': 'GET http://127.0.0.1/v1/models HTTP/1.1\r\nhost: x\r\n\r\n',
    'another absolute address': 'GET http://evil.example/v1/models HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n',
    'a host of somebody else, as after DNS rebinding':
      'GET /v1/models HTTP/1.1\r\nhost: evil.example\r\n\r\n',
    'an asterisk': 'OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n',
    'an encoded path': 'GET /%76%31/models HTTP/1.1\r\nhost: x\r\n\r\n',
    'a path with dots': 'GET /x/../v1/models HTTP/1.1\r\nhost: x\r\n\r\n',
    'two slashes': 'GET //v1/models HTTP/1.1\r\nhost: x\r\n\r\n',
    'an upgrade': 'GET /v1/models HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    'an old version': 'GET /v1/models HTTP/1.0\r\n\r\n',
    'a method of somebody else': 'PROPFIND /v1/models HTTP/1.1\r\nhost: x\r\n\r\n',
    'the key in other headers': `GET /v1/models HTTP/1.1\r\nhost: x\r\nx-api-key: ${frontKey}\r\ncookie: key=${frontKey}\r\nproxy-authorization: Bearer ${frontKey}\r\n\r\n`,
    'a wrong key before the right one': `GET /v1/models HTTP/1.1\r\nhost: x\r\nauthorization: Bearer no\r\n${key}\r\n`,
    'two keys in one header': `GET /v1/models HTTP/1.1\r\nhost: x\r\nauthorization: Bearer no, Bearer ${frontKey}\r\n\r\n`,
    'an empty key': 'GET /v1/models HTTP/1.1\r\nhost: x\r\nauthorization: Bearer \r\n\r\n',
    'a simple request of a web page': `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\norigin: https://evil.example\r\ncontent-type: text/plain\r\ncontent-length: ${chat.length}\r\n\r\n${chat}`,
    'the question of a browser':
      'OPTIONS /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\norigin: https://evil.example\r\naccess-control-request-method: POST\r\naccess-control-request-headers: authorization\r\n\r\n',
  }

  test('[AG1] no spelling of a request passes, none keeps its connection, and no page of the web is let in', async () => {
    world = await startFrontWorld()
    for (const [name, bytes] of Object.entries(strange)) {
      const answer = await said(bytes)
      expect(statusesIn(answer), name).toEqual([401])
      expect(answer, name).not.toMatch(/access-control|atr_|node_modules/i)
    }
    expect(world.upstream.exchanges).toEqual([])
  })

  test('[AG1] a second request in the same packet needs the key as well, and so does one that hides in a body', async () => {
    world = await startFrontWorld()
    const hidden = `GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n`
    expect(statusesIn(await said(`GET /v1/models HTTP/1.1\r\nhost: x\r\n${key}\r\n${hidden}`))).toEqual([
      200, 401,
    ])
    for (const lengths of [
      'content-length: 4\r\ntransfer-encoding: chunked',
      'transfer-encoding: chunked\r\ntransfer-encoding: identity',
      'transfer-encoding: xchunked',
      'content-length: 4\r\ncontent-length: 5',
      'content-length: +4',
    ]) {
      const answer = await said(
        `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n${key}${lengths}\r\n\r\n0\r\n\r\n${hidden}`,
      )
      expect(statusesIn(answer), lengths).toEqual([400])
    }
    expect(world.upstream.exchanges).toEqual([])
  })

  test('[AG9] a body that never comes holds a connection only for a moment', async () => {
    world = await startFrontWorld({ strangerBodyMs: 50 })
    const answer = await said(
      'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{',
    )
    expect(statusesIn(answer)).toEqual([401])
    expect(answer).toMatch(/^connection: close$/im)
  })

  test('[AG9] somebody with a wrong key reads why, however much they had to send', async () => {
    world = await startFrontWorld()
    const response = await post(world.front, 'x'.repeat(3_000_000), { authorization: 'Bearer atr_wrong' })
    expect(response.status).toBe(401)
  })
})

describe('with the key', () => {
  test('[AG20] bodies that are arriving take places as well, so that they cannot fill the memory', async () => {
    world = await startFrontWorld({ parallel: 1, queueLimit: 2 })
    const begun: Socket[] = []
    for (let each = 0; each < 3; each++) {
      const socket = connect(world.front.port, '127.0.0.1')
      socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n${key}content-length: 4000000\r\n\r\n{`)
      begun.push(socket)
    }
    await waitUntil(async () => (await post(world.front, turn)).status === 429 || 'there is still a place')
    for (const socket of begun) {
      socket.destroy()
      await once(socket, 'close')
    }
    await waitUntil(
      async () => (await post(world.front, turn)).status === 200 || 'the places are not free yet',
    )
  })
})

describe('a hostile engine', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

  test('[AG29] values that are nested too deep are its fault, plain, in arguments and streamed', async () => {
    world = await startFrontWorld()
    const plain = (value: unknown) =>
      JSON.stringify(value).replace('"created":1', `"created":1,"more":${deep}`)
    const inArguments = (value: unknown) =>
      JSON.stringify(value).replace(/"arguments":"[^}]*"/, `"arguments":{"a":${deep}}`)
    for (const written of [plain, inArguments]) {
      world.upstream.behave(({ request, response }) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(written(completion(request)))
      })
      expect((await post(world.front, turn)).status).toBe(502)
    }
    world.upstream.behave(({ response }) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`data: {"choices":[],"more":${deep}}\n\n`)
    })
    expect((await post(world.front, { ...turn, stream: true })).status).toBe(502)
    expect(world.entries.filter(({ fault }) => fault !== undefined)).toEqual([])
  })

  test('[AG13] arguments with a million faults are refused without listing them', async () => {
    world = await startFrontWorld()
    const items = Array.from({ length: 200_000 }, (_, at) => `x${at}`)
    world.upstream.behave(({ request, response }) => json(response, 200, completion(request, { items })))
    const parameters = {
      type: 'object',
      properties: { items: { type: 'array', items: { type: 'integer' } } },
    }
    const tool = { ...respond, function: { ...respond.function, parameters } }
    const response = await post(world.front, { ...turn, tools: [tool] })
    expect(response.status).toBe(502)
    expect(await response.text()).toContain('too long to say where')
  })
})
