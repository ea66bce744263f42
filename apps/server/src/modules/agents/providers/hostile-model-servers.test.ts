import { limits } from '@atrium/contract'
import { type StubReply, startStubModelServer } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { createTestSchedule, flood, guard, startRaw } from '../../../adapters/outbound/test/guard-world.ts'
import { askServer, calling, completion, deep, patient, provider, request, start } from './test/ask-server.ts'

const html = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Welcome</title>' }

it.each<[name: string, reply: StubReply, reason: string, message: string]>([
  [
    '500',
    { status: 500, body: { error: { message: 'out of memory' } } },
    'status',
    'returned 500: “out of memory”.',
  ],
  ['401', { status: 401, body: { error: 'wrong key' } }, 'status', 'returned 401: “wrong key”.'],
  ['a page with status 502', { ...html, status: 502 }, 'status', 'returned 502.'],
  [
    'a redirect',
    { status: 307, headers: { location: '/' } },
    'status',
    'returned 307, a redirect, which is not',
  ],
  ['status 204', { status: 204 }, 'not_json', 'empty instead of a JSON object'],
  ['nothing', { body: '' }, 'not_json', 'empty instead of a JSON object'],
  ['a page', html, 'not_json', 'a web page instead of a JSON object'],
  ['a word', { body: 'Ollama is running' }, 'not_json', 'something else instead of a JSON object'],
  ['half of a JSON object', { body: '{"choices":[{"mess' }, 'not_json', 'something else instead'],
  ['a list', { body: '[1]' }, 'not_json', 'instead of a JSON object'],
  ['null', { body: 'null' }, 'not_json', 'instead of a JSON object'],
  [
    'a mislabelled stream',
    { body: 'data: {"choices":[]}\n\ndata: [DONE]\n\n' },
    'not_json',
    'a stream, which was not',
  ],
  ['deep JSON', { body: `{"choices":${deep(500_000)}}` }, 'not_json', 'part of it is nested too deep'],
  ['a number too large', { body: '{"choices":[1e999]}' }, 'not_json', 'a number too large'],
  [
    'a name that is a trap',
    { body: '{"choices":[],"__proto__":{"x":1}}' },
    'not_json',
    'not a name that may be used',
  ],
  ['no choices', { body: {} }, 'no_tool_call', 'did not call the tool respond.'],
  ['choices that are none', { body: { choices: { 0: {} } } }, 'no_tool_call', 'did not call the tool'],
  [
    'an error with status 200',
    { body: { error: { message: 'No\ncredit' } } },
    'no_tool_call',
    'an error: “No credit”',
  ],
  ['words', completion({ content: 'I would rate it 5.' }), 'no_tool_call', 'it wrote “I would rate it 5.”'],
  [
    'another tool',
    calling(['look_up', '{}']),
    'no_tool_call',
    'called the tool “look_up” instead of respond',
  ],
  ['arguments that are no JSON', calling(['respond', '{"action": {']), 'bad_arguments', 'are not valid JSON'],
  ['empty arguments', calling(['respond', '']), 'bad_arguments', 'are not valid JSON'],
  ['arguments in a list', calling(['respond', '[1]']), 'bad_arguments', 'are not a JSON object'],
  ['no arguments', calling(['respond', undefined]), 'bad_arguments', 'are not a JSON object'],
  ['deep arguments', calling(['respond', `{"x":${deep(100_000)}}`]), 'bad_arguments', 'nested too deep'],
  ['too large a reply', { body: 'x'.repeat(limits.modelReplyBytes + 1) }, 'too_large', 'too large'],
  ['a compressed reply', { headers: { 'content-encoding': 'gzip' }, body: 'x' }, 'not_json', 'compressed'],
])('[R44] a server that sends %s is an outcome', async (_name, reply, reason, message) => {
  const outcome = await askServer(reply)
  expect(outcome).toMatchObject({ kind: 'failed', reason, message: expect.stringContaining(message) })
  expect(JSON.stringify(outcome).length).toBeLessThan(200_000)
})

it('a stream that nobody asked for and a flood are cut off', async () => {
  const headers = { 'content-type': 'text/event-stream' }
  expect(await askServer({ headers, body: '', endlessly: ': still here\n\n' })).toMatchObject({
    reason: 'not_json',
    message: expect.stringContaining('a stream'),
  })
  expect(await askServer({ body: '{"choices":[', endlessly: '{},'.repeat(10_000) })).toMatchObject({
    reason: 'too_large',
  })
  const port = await startRaw((socket) => {
    socket.write('HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n')
    void flood(socket, `4000\r\n${'x'.repeat(0x4000)}\r\n`)
  })
  const flooding = provider({ baseUrl: `http://127.0.0.1:${port}/v1` })
  expect(await flooding.ask(request, patient())).toMatchObject({ reason: 'too_large' })
})

it('a server that hangs before, in or after the head is a time-out', async () => {
  for (const head of ['', 'HTTP/1.1 200 OK\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{']) {
    const { schedule, pass } = createTestSchedule()
    const port = await startRaw((socket) => {
      socket.write(head)
      setImmediate(() => pass(60_000))
    })
    const { ask } = provider({ baseUrl: `http://127.0.0.1:${port}/v1`, schedule })
    expect(await ask(request, patient())).toEqual({
      kind: 'failed',
      reason: 'timeout',
      message: 'The model server did not reply in time.',
    })
  }
})

it('a server that is not there, hangs up or speaks another language is unreachable', async () => {
  const replies = ['', 'SSH-2.0-OpenSSH_9.6\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf']
  for (const reply of replies) {
    const port = await startRaw((socket) => void socket.end(reply))
    const { ask } = provider({ baseUrl: `http://127.0.0.1:${port}/v1` })
    expect(await ask(request, patient()), reply).toMatchObject({ reason: 'unreachable' })
  }
  const gone = await startStubModelServer()
  await gone.stop()
  expect(await provider(gone).ask(request, patient())).toMatchObject({
    reason: 'unreachable',
    message: 'The model server cannot be reached (ECONNREFUSED).',
  })
})

it('[R35] an address that the guard refuses is named as that, and nothing more', async () => {
  const stub = await start()
  const { fetch } = guard({ hosted: true, resolve: async () => ['10.0.0.7'] })
  for (const baseUrl of [stub.baseUrl, 'https://10.0.0.7/v1', 'https://api.example.org/v1'])
    expect(await provider({ baseUrl, fetch }).ask(request, patient())).toEqual({
      kind: 'failed',
      reason: 'address',
      message: 'The model server does not answer over https at a public address.',
    })
  expect(stub.requests).toEqual([])
})
