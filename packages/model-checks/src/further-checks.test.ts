import type { StubModelServerOptions } from '@atrium/testkit'
import { expect, it } from 'vitest'
import type { FurtherCheckName } from './further/further-check.ts'
import { check, startStub } from './test/set-up.ts'

async function findings(options: StubModelServerOptions = {}) {
  const report = await check(await startStub(options), { further: true, contextTokens: 2_000, parallel: 1 })
  expect(report.ok).toBe(true) // Nothing of this makes a server fail.
  const of = (name: FurtherCheckName) => report.further.find((check) => check.name === name)
  return { report, of }
}

it('[MC10] [MC12] a faultless server gets no warning, and its speed is measured', async () => {
  const { report, of } = await findings({ contextWords: 2_000 })
  expect(report.further.filter(({ ok }) => !ok)).toEqual([])
  expect(of('overflow')?.message).toBe('a prompt of 2500 words is refused with 400')
  expect(of('non_ascii')?.message).toBe('text beyond ASCII comes back as it was')
  expect(of('streaming')?.figures).toEqual({ firstTokenMs: expect.any(Number) })
  const [, , toolCalling, concurrency] = report.checks
  expect(toolCalling?.figures).toMatchObject({ tokensPerSecond: expect.any(Number) })
  expect(concurrency?.figures).toMatchObject({ tokensPerSecond: expect.any(Number) })
})

it('[MC11] a context that is larger than expected is no fault', async () => {
  const { of } = await findings()
  expect(of('overflow')).toMatchObject({
    ok: true,
    message: expect.stringContaining('larger than 2000 tokens'),
  })
})

it('[MC11] a refusal for another reason says nothing about the length', async () => {
  const { of } = await findings({
    onCompletion: (request, answer) =>
      JSON.stringify(request).length < 10_000
        ? answer
        : { status: 429, body: { error: { message: 'Busy' } } },
  })
  expect(of('overflow')).toMatchObject({ ok: false, message: expect.stringContaining('429') })
})

it('[MC11] finds prompts that were cut in silence, by the count of tokens or by the word that was lost', async () => {
  const call = { function: { name: 'respond', arguments: '{"choice":4,"message":"I do not know."}' } }
  const cutTo = (promptTokens: number | undefined) =>
    findings({
      onCompletion: (request, answer) =>
        JSON.stringify(request).length < 10_000
          ? answer
          : {
              body: {
                choices: [{ message: { tool_calls: [call] } }],
                ...(promptTokens !== undefined && { usage: { prompt_tokens: promptTokens } }),
              },
            },
    })
  expect((await cutTo(1_000)).of('overflow')).toMatchObject({
    ok: false,
    message: expect.stringContaining('cut to 1000 tokens in silence'),
  })
  expect((await cutTo(undefined)).of('overflow')).toMatchObject({
    ok: false,
    message: expect.stringContaining('does not know its first line'),
  })
})

it('[MC10] warns about a server that drops "tool_choice"', async () => {
  const call = { function: { name: 'respond', arguments: '{"choice":4,"message":"Fine."}' } }
  const { of } = await findings({
    contextWords: 2_000,
    onCompletion: (request, answer) =>
      request.stream === true || answer.status === 400
        ? answer
        : { body: { choices: [{ message: { tool_calls: [call] } }] } },
  })
  expect(of('named_choice')).toMatchObject({
    ok: false,
    message: expect.stringContaining('instead of look_up'),
  })
  expect(of('choice_none')).toMatchObject({ ok: false, message: expect.stringContaining('was ignored') })
})

it('[MC10] warns about streams that cannot be put together again', async () => {
  const streaming = (change: (body: string) => string) =>
    findings({
      onCompletion: (request, answer) =>
        request.stream === true ? { ...answer, body: change(String(answer.body)) } : answer,
    })
  const broken = await streaming((body) => body.replace('\\"choice\\"', '\\"chance\\"'))
  expect(broken.of('streaming')?.message).toContain('streamed: tool_calls arguments')
  const unended = await streaming((body) => body.replace('data: [DONE]\n\n', ''))
  expect(unended.of('streaming')?.message).toContain('ends without “data: [DONE]”')
  const garbled = await streaming(() => 'data: {"half":\n\n')
  expect(garbled.of('streaming')?.message).toContain('not a chunk of a completion')
})

it('[MC10] warns about damaged text and about conversations with tools', async () => {
  const { of } = await findings({
    onCompletion(request, answer) {
      const text = JSON.stringify(request)
      if (text.includes('"role":"tool"')) return { status: 500, body: 'unknown role' }
      return text.includes('Łódź') ? { body: JSON.stringify(answer.body).replace('ü', 'Ã¼') } : answer
    },
  })
  expect(of('non_ascii')).toMatchObject({ ok: false, message: expect.stringContaining('comes back damaged') })
  expect(of('tool_result')).toMatchObject({ ok: false, message: expect.stringContaining('unknown role') })
})
