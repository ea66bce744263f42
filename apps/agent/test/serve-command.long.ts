import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createTemporaryFolder } from '@atrium/testkit'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { named } from './front-world.ts'
import { installWithinMs } from './node-llama-folder.ts'
import { agentEntry, type ServeProgram, startServe } from './serve-program.ts'

/** The whole tool as an operator uses it: `serve` with llama.cpp and a model of a megabyte, asked by the official client. */

const home = createTemporaryFolder('serve-command')
const contextTokens = 4_096

let serve: ServeProgram
let ready: ServeProgram['ready']
let openai: OpenAI

beforeAll(async () => {
  serve = await startServe({ home: home.path, contextTokens })
  ready = serve.ready
  openai = clientWith(ready.apiKey)
}, installWithinMs)

afterAll(() => {
  serve?.child.kill('SIGKILL')
  home.remove()
})

const clientWith = (apiKey: string): OpenAI => new OpenAI({ baseURL: ready.baseUrl, apiKey, maxRetries: 0 })

const respond = {
  type: 'function',
  function: {
    name: 'respond',
    parameters: {
      type: 'object',
      properties: {
        choice: { enum: ['left', 'right'] },
        reason: { type: 'string', minLength: 1, maxLength: 200 },
      },
      required: ['choice', 'reason'],
      additionalProperties: false,
    },
  },
} as const

const turn = {
  messages: [{ role: 'user', content: 'Left or right?' }],
  tools: [respond],
  tool_choice: named,
} satisfies Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'model'>

function callIn(answer: OpenAI.ChatCompletion): { name: string; arguments: unknown } {
  const [call] = answer.choices[0]?.message.tool_calls ?? []
  if (call?.type !== 'function') throw new Error(`no call: ${JSON.stringify(answer)}`)
  return { name: call.function.name, arguments: JSON.parse(call.function.arguments) }
}

const expectedCall = {
  name: 'respond',
  arguments: { choice: expect.stringMatching(/^(left|right)$/), reason: expect.any(String) },
}

describe('[AG84] serve with a real engine', () => {
  it('[R46] [AG42] is ready with a key that begins with atr_, and lists its model', async () => {
    expect(ready).toMatchObject({
      apiKey: expect.stringMatching(/^atr_/),
      model: 'tiny',
      parallel: 8,
      engine: 'node-llama-cpp',
    })
    expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(['tiny'])
  })

  it('[AG43] answers with calls of respond: plain, forced by name, streamed', async () => {
    const model = 'tiny'
    const plain = await openai.chat.completions.create({ ...turn, model, tool_choice: 'required' })
    expect(callIn(plain)).toEqual(expectedCall)
    expect(callIn(await openai.chat.completions.create({ ...turn, model }))).toEqual(expectedCall)
    const streamed = openai.chat.completions.stream({ ...turn, model })
    expect(callIn(await streamed.finalChatCompletion())).toEqual(expectedCall)
  })

  it('[AG1] [AG46] rejects a wrong key with 401 and a prompt that is too long with 400', async () => {
    const request = { ...turn, model: 'tiny' }
    await expect(clientWith('atr_wrong').models.list()).rejects.toMatchObject({ status: 401 })
    await expect(clientWith('atr_wrong').chat.completions.create(request)).rejects.toMatchObject({
      status: 401,
    })
    const messages = [{ role: 'user' as const, content: 'x'.repeat(contextTokens) }]
    await expect(openai.chat.completions.create({ ...request, messages })).rejects.toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
    })
  })

  it('[AG47] works on eight requests at the same time', async () => {
    // On a busy machine the last request may come when the first has been answered; then all are sent again.
    for (let wave = 1; ; wave++) {
      const events = (await Promise.all(Array.from({ length: 8 }, () => streamEvents()))).flat()
      const inOrder = events.toSorted((one, other) => one.at - other.at).map(({ what }) => what)
      const beginnings = inOrder.slice(0, inOrder.indexOf('end'))
      if (beginnings.length === 8) return
      expect(wave, `only ${beginnings.length} of 8 had begun when the first ended`).toBeLessThan(20)
    }
  })

  it('keeps the key out of the list of processes', () => {
    expect(readFileSync(`/proc/${serve.child.pid}/cmdline`, 'utf8')).not.toContain(ready.apiKey)
    expect(readFileSync(`/proc/${serve.child.pid}/environ`, 'utf8')).not.toContain(ready.apiKey)
  })

  it('[AG93] passes verify, which needs no flags on the same machine', async () => {
    const { code, stdout } = await runVerify()
    const report = JSON.parse(stdout)
    expect(report, stdout).toMatchObject({ ok: true, baseUrl: ready.baseUrl, model: 'tiny', notRun: [] })
    expect(report.further.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([])
    expect(code).toBe(0)
  })

  it('[AG85] ends with Ctrl-C, and leaves nothing that listens', async () => {
    serve.child.kill('SIGINT')
    expect(await serve.ended).toBe(0)
    await expect(openai.models.list()).rejects.toThrow('Connection error')
    expect(readdirSync(`${home.path}/.config/atrium-agent`).toSorted()).toEqual(['config.json'])
  })
})

let eventCount = 0

/** When the first word of an answer came, and when it ended, in the order in which we heard of them. */
async function streamEvents(): Promise<{ what: 'begin' | 'end'; at: number }[]> {
  const events: { what: 'begin' | 'end'; at: number }[] = []
  const stream = await openai.chat.completions.create({ ...turn, model: 'tiny', stream: true })
  for await (const chunk of stream)
    if (events.length === 0 && chunk.choices[0]?.delta.tool_calls !== undefined)
      events.push({ what: 'begin', at: eventCount++ })
  return [...events, { what: 'end', at: eventCount++ }]
}

const runVerify = (): Promise<{ code: number; stdout: string }> =>
  new Promise((resolve) => {
    const flags = ['--json', '--ctx', String(contextTokens)]
    const child = execFile(
      process.execPath,
      [agentEntry, 'verify', ...flags],
      { env: serve.env },
      (_, stdout) => resolve({ code: child.exitCode ?? -1, stdout }),
    )
  })
