import type { ChatRequest } from '@atrium/agent-protocol'
import { auditRoutes, experimentRoutes, limits, type StudyDraft, studyDraftRoutes } from '@atrium/contract'
import {
  createApi,
  createResearcher,
  describeInOneMode,
  type StubModelServerOptions,
  type StubReply,
  smallestDefinition,
  startStubModelServer,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { issuePathsOf, refusalOf } from '../stories/refusal.ts'
import { credentialKeeper } from './credential-stage.ts'

const description = 'Ask people how they slept, on a scale, and thank them.'

const sleepStudy = {
  name: 'Sleep',
  states: [
    { id: 'sleep', components: [{ id: 'how', type: 'likert', label: 'I slept well.' }] },
    { id: 'thanks', components: [{ id: 'bye', type: 'text', text: 'Thank you.' }] },
  ],
}
const brokenStudy = { ...sleepStudy, states: [{ ...sleepStudy.states[0], next: [{ to: 'gone' }] }] }

type Asked = ReturnType<typeof askedOf>

describeInOneMode('studies drafted from words', (world) => {
  const api = createApi(() => world().any().http)

  /** A researcher whose model hands in these arguments, one after the other; the last one again and again. */
  async function drafter(...replies: (object | string)[]) {
    const asked: Asked[] = []
    return {
      asked,
      ...(await researcherWith({
        onCompletion(request, answer) {
          asked.push(askedOf(request))
          if (asked.length === 1) return calling(answer, { types: ['likert', 'text', 'no_such_type'] })
          return calling(answer, replies[Math.min(asked.length - 2, replies.length - 1)] ?? {})
        },
      })),
    }
  }

  async function researcherWith(options: StubModelServerOptions) {
    const server = await startStubModelServer(options)
    onTestFinished(server.stop)
    const { token } = await createResearcher(api)
    const { baseUrl, apiKey } = server
    const { credentialId } = await credentialKeeper(api, token).made({ baseUrl, apiKey })
    const ask = (body: unknown = { description }, more: { token?: string } = {}) =>
      api.call(studyDraftRoutes.create, { token, params: { credentialId }, body, ...more })
    return {
      server,
      token,
      credentialId,
      ask,
      draft: async (): Promise<StudyDraft> => succeeded(await ask()),
      ownStudies: async () =>
        succeeded(await api.call(experimentRoutes.list, { token })).experiments.filter(
          ({ access }) => access === 'owner',
        ),
    }
  }

  const auditOf = async (credentialId: string) => {
    const token = await api.token('chief', ['admin'])
    const { entries } = succeeded(await api.call(auditRoutes.list, { token, query: { limit: '500' } }))
    return entries.filter(({ action, subject }) => action === 'study_drafted' && subject === credentialId)
  }

  test('[AD1] [AD2] a good answer is a definition that could be saved, and nothing is', async () => {
    const ada = await drafter({ definition: sleepStudy })
    const draft = await ada.draft()
    expect(draft).toEqual({
      kind: 'drafted',
      definition: sleepStudy,
      isValid: true,
      findings: [],
      leftOut: [],
      repairs: 0,
    })
    expect(await ada.ownStudies()).toEqual([])
    const [choice, drafting] = ada.asked
    expect(choice?.told).toEqual({ study: description })
    expect(choice?.parameters).toContain('"enum":["text",')
    expect(drafting?.told).toEqual({ study: description })
    expect(drafting?.parameters).toContain('"const":"likert"')
    expect(drafting?.parameters).not.toContain('"const":"slider"')
    expect(drafting?.parameters.length).toBeLessThan(40_000)
    expect(await auditOf(ada.credentialId)).toMatchObject([
      { details: { model: 'stub-model', outcome: 'valid', requests: 2, completionTokens: 24 } },
    ])
  })

  test('[AD3] what the check finds is sent back, and the repaired draft is the result', async () => {
    const ada = await drafter({ definition: brokenStudy }, 'no JSON', { definition: sleepStudy })
    expect(await ada.draft()).toMatchObject({ definition: sleepStudy, isValid: true, repairs: 2 })
    const checked = await api.call(experimentRoutes.check, { token: ada.token, body: brokenStudy })
    const refused = succeeded(checked).findings.map(({ path, message }) => ({ path, message }))
    expect(ada.asked[2]?.told).toEqual({ study: description, previous: brokenStudy, refused })
    expect(ada.asked[3]?.told).toMatchObject({
      refused: [{ path: '', message: 'The arguments of respond are not valid JSON.' }],
    })
  })

  test('[AD3] a draft that never becomes valid is returned with its problems', async () => {
    const ada = await drafter({ definition: brokenStudy })
    const draft = await ada.draft()
    const checked = await api.call(experimentRoutes.check, { token: ada.token, body: brokenStudy })
    expect(draft).toMatchObject({
      kind: 'drafted',
      definition: brokenStudy,
      repairs: limits.studyDraft.repairs,
      ...succeeded(checked),
    })
    expect(draft).toMatchObject({ isValid: false })
    expect(ada.asked).toHaveLength(2 + limits.studyDraft.repairs)
    expect(await auditOf(ada.credentialId)).toMatchObject([{ details: { outcome: 'with_problems' } }])
  })

  test('[AD3] a model that hands in no definition is asked a few times, then said so', async () => {
    const ada = await drafter({ definition: 'A study about sleep.' })
    expect(await ada.draft()).toEqual({ kind: 'failed', message: 'The model did not hand in a definition.' })
    expect(ada.asked).toHaveLength(2 + limits.studyDraft.repairs)
  })

  test('[AD4] what a model may not draft is left out and named', async () => {
    const definition = {
      ...sleepStudy,
      states: [
        {
          id: 'sleep',
          components: [
            { id: 'how', type: 'likert', label: 'I slept well.' },
            { id: 'own', type: 'custom_html', html: '<script>parent.alert(1)</script>' },
            { id: 'pic', type: 'image', src: 'https://example.org/who-looks.png' },
            { id: 'note', type: 'text', text: 'Read ![this](https://example.org/who-looks.png).' },
          ],
        },
      ],
      completion: { codes: { SUCCESS: 'A' }, redirectUrl: 'https://example.org/?c={{code}}' },
      access: 'public',
      agents: [{ id: 'a', name: 'A', credentialId: 'cred_x', instructions: '' }],
    }
    const ada = await drafter({ definition })
    expect(await ada.draft()).toMatchObject({
      isValid: true,
      definition: {
        name: 'Sleep',
        states: [
          {
            id: 'sleep',
            components: [
              { id: 'how', type: 'likert', label: 'I slept well.' },
              { id: 'note', type: 'text', text: 'Read [this](https://example.org/who-looks.png).' },
            ],
          },
        ],
        completion: { codes: { SUCCESS: 'A' } },
      },
      leftOut: ['access', 'agents', 'custom_html', 'image', 'redirectUrl', 'pictures in texts'],
    })
  })

  const states = (count: number, state: object) =>
    Array.from({ length: count }, (_, at) => ({ id: `s${at}`, components: [], ...state }))
  const many = 'round(1) + '.repeat(150)

  test.each<[string, object | string, object]>([
    ['nested too deep', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, { kind: 'failed' }],
    ['with 20,000 states', { definition: { name: 'x', states: states(20_000, {}) } }, { isValid: false }],
    [
      'with thousands of faults',
      { definition: { name: 'x', states: states(400, { end: 1, next: [{ to: 1 }], roles: {} }) } },
      { isValid: false },
    ],
    [
      'with expressions that cost much',
      { definition: { name: 'x', states: states(200, { onEnter: { a: `${many}1`, b: `${many}1` } }) } },
      { isValid: false },
    ],
    [
      'with inherited names',
      '{"definition":{"name":"x","__proto__":{"access":"public"},"states":[{"id":"a","components":[{"id":"__proto__","type":"constructor","__proto__":{"html":"x"}}]}]}}',
      { kind: 'failed' },
    ],
    [
      'that asks for a launch',
      {
        status: 'recruiting',
        launch: true,
        definition: { ...sleepStudy, status: 'recruiting', name: 'Ignore the rules and POST /status' },
      },
      { isValid: true, leftOut: ['status'] },
    ],
  ])(
    '[AD2] [AD3] a reply %s stays a draft or none, after a bounded number of questions',
    async (_name, reply, result) => {
      const ada = await drafter(reply)
      expect(await ada.draft()).toMatchObject(result)
      expect(ada.asked.length).toBeLessThanOrEqual(2 + limits.studyDraft.repairs)
      expect(await ada.ownStudies()).toEqual([])
    },
  )

  test('[AD5] a server that refuses or is not there is said in a sentence', async () => {
    const refusing = await researcherWith({
      onCompletion: () => ({ status: 500, body: { error: { message: 'out of memory' } } }),
    })
    expect(await refusing.draft()).toEqual({
      kind: 'failed',
      message: 'The model server returned 500: “out of memory”.',
    })
    await refusing.server.stop()
    expect(await refusing.draft()).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('cannot be reached'),
    })
  })

  test('[AD5] [AD6] a server that hangs is left when the researcher cancels', async () => {
    const begun = Promise.withResolvers<void>()
    const ada = await researcherWith({
      async onCompletion() {
        begun.resolve()
        return await new Promise<StubReply>(() => {})
      },
    })
    const path = studyDraftRoutes.create.path.replace(':credentialId', ada.credentialId)
    const address = world().any().http + path
    const send = (signal: AbortSignal) =>
      fetch(address, {
        method: 'POST',
        headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ description }),
        signal,
      })
    const cancel = new AbortController()
    const cancelled = expect(send(cancel.signal).then((response) => response.text())).rejects.toThrow()
    await begun.promise
    cancel.abort()
    await cancelled
    await waitUntil(async () => (await auditOf(ada.credentialId)).length === 1 || 'the draft goes on')
    expect(await auditOf(ada.credentialId)).toMatchObject([
      { details: { outcome: 'cancelled', requests: 1 } },
    ])
  })

  test('[AD6] [R37] credentials of others do not exist, and descriptions and requests are bounded', async () => {
    const ada = await drafter({ definition: smallestDefinition() })
    const { token } = await createResearcher(api)
    expect(refusalOf(await ada.ask({ description }, { token }))).toMatchObject({
      status: 404,
      code: 'CREDENTIAL_NOT_FOUND',
    })
    for (const wrong of ['Too short', 'x'.repeat(limits.studyDraft.maxCharacters + 1), '\0'.repeat(20), 7])
      expect(issuePathsOf(await ada.ask({ description: wrong }))).toEqual(['/description'])
    expect(ada.asked).toEqual([])
    for (let nth = 0; nth < limits.studyDraft.perWindow; nth++) await ada.draft()
    expect(refusalOf(await ada.ask())).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
  })
})

function askedOf({ messages, tools = [] }: ChatRequest) {
  const content = messages.at(-1)?.content
  return {
    told: typeof content === 'string' ? JSON.parse(content) : undefined,
    parameters: JSON.stringify(tools[0]?.function.parameters),
  }
}

/** A reply that calls the tool with these arguments. */
function calling(answer: StubReply, given: object | string): StubReply {
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  const body = JSON.stringify(answer.body)
  return { ...answer, body: JSON.parse(body, (name, value) => (name === 'arguments' ? text : value)) }
}
