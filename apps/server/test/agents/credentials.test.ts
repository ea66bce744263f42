import { credentialRoutes, experimentRoutes, limits, shareRoutes } from '@atrium/contract'
import {
  codeOf,
  createApi,
  createResearcher,
  describeInOneMode,
  type StubModelServer,
  startStubModelServer,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { everythingStored, readRows } from '../stories/database.ts'
import { issuePathsOf, refusalOf } from '../stories/refusal.ts'
import { aCredential, credentialKeeper, studyWith } from './credential-stage.ts'

type Keeper = ReturnType<typeof credentialKeeper> & { sub: string }

describeInOneMode(
  '[R42] credentials',
  (world) => {
    const api = createApi(() => world().any().http)
    let [ada, bob, admin] = [] as Keeper[] as [Keeper, Keeper, Keeper]
    beforeAll(async () => {
      const keeperOf = async () => {
        const { token, sub } = await createResearcher(api)
        return { ...credentialKeeper(api, token), sub }
      }
      ada = await keeperOf()
      bob = await keeperOf()
      admin = { ...credentialKeeper(api, await api.token('chief', ['admin'])), sub: 'chief' }
    })

    test('[R42] are created with defaults, and answered without their key', async () => {
      const answer = await ada.create(aCredential({ baseUrl: 'http://127.0.0.1:9/a/v1/' }))
      expect(answer.status).toBe(201)
      const { credentialId, createdAt, changedAt, ...rest } = succeeded(answer)
      expect(rest).toEqual({
        name: 'The lab’s model',
        provider: 'Custom',
        baseUrl: 'http://127.0.0.1:9/a/v1',
        model: 'stub-model',
        timeoutMs: 60_000,
        keyHint: 'cdef',
        isKeyReadable: true,
        isOwn: true,
        lastTestedAt: null,
        lastTest: null,
        usedBy: [],
      })
      expect(createdAt).toBe(changedAt)
      expect(succeeded(await ada.read(credentialId))).toEqual(succeeded(answer))
      expect((await ada.made({ apiKey: 'fifteen-letters' })).keyHint).toBe('')
    })

    test('[R42] with anything wrong in them are refused by name, with a sentence', async () => {
      const { model: _, ...withoutModel } = aCredential()
      const { apiKey: __, ...withoutKey } = aCredential()
      const message = async (body: unknown) => {
        const answer = await ada.create(body)
        expect(answer.status, answer.text).toBe(400)
        return (answer.body as unknown as { error: string }).error
      }
      expect(await message(aCredential({ provider: 'OpenAI' }))).toMatch(/^\/provider: must be ‘Custom’/)
      expect(await message(withoutModel)).toMatch(/^\/model: is required for a custom endpoint/)
      expect(await message(withoutKey)).toBe('/apiKey: is missing.')
      const wrong: [string, unknown[]][] = [
        [
          'baseUrl',
          [
            'http://127.0.0.1:9',
            'http://127.0.0.1:9/v1/chat',
            'http://127.0.0.1:9/v2',
            'http://user:secret@127.0.0.1:9/v1',
            'http://127.0.0.1:9/v1?key=1',
            'http://127.0.0.1:9/v1#x',
            'http://127.0.0.1:9/v1?',
            'ftp://127.0.0.1/v1',
            'file:///v1',
            'http:///v1',
            '127.0.0.1:9/v1',
            'http://a b/v1',
            'http://127.0.0.1:9/\n/v1',
            'http://127.0.0.1:99999/v1',
            `http://127.0.0.1:9/${'x'.repeat(2_000)}/v1`,
            '',
            7,
          ],
        ],
        ['apiKey', ['', 'with a space', 'tab\t', 'schlüssel', `${'x'.repeat(4_001)}`, '\0', null]],
        ['timeoutMs', [9_999, 300_001, 10_000.5, '60000', -1, 1e300]],
        ['name', ['', 'x'.repeat(201), 'a\nb', null]],
        ['model', ['', 'x'.repeat(201), '\0']],
        ['provider', ['custom', '', null, ['Custom']]],
      ]
      for (const [field, values] of wrong)
        for (const value of values)
          expect(
            issuePathsOf(await ada.create(aCredential({ [field]: value }))),
            `${field} ${value}`,
          ).toEqual([`/${field}`])
      for (const timeoutMs of [10_000, 300_000])
        expect((await ada.made({ timeoutMs })).timeoutMs).toBe(timeoutMs)
    })

    test('[R37] belong to whoever made them: to others they do not exist, and administrators see all', async () => {
      const { credentialId } = await ada.made()
      const unknown = `cred_${'A'.repeat(credentialId.length - 5)}`
      for (const call of ['read', 'remove', 'test'] as const) {
        const [hidden, none] = [await bob[call](credentialId), await bob[call](unknown)]
        expect([hidden.status, hidden.text]).toEqual([404, none.text])
      }
      for (const body of [aCredential(), {}]) {
        const [hidden, none] = [await bob.change(credentialId, body), await bob.change(unknown, body)]
        expect([hidden.status, hidden.text]).toEqual([404, none.text])
      }
      const idsOf = async (keeper: Keeper) =>
        (await keeper.list()).credentials.map((credential) => credential.credentialId)
      expect([(await idsOf(ada)).includes(credentialId), (await idsOf(bob)).length]).toEqual([true, 0])
      const { credentials } = await admin.list({ limit: '200' })
      expect(credentials.find((one) => one.credentialId === credentialId)).toMatchObject({ isOwn: false })
      const page = await ada.list({ limit: '1' })
      expect(page).toMatchObject({ credentials: [{ credentialId }], next: expect.any(String) })
      const next = await ada.list({ limit: '200', before: page.next ?? '' })
      expect(next.next).toBeNull()
      expect(next.credentials.map((one) => one.credentialId)).toEqual((await idsOf(ada)).slice(1))
    })

    test('[R42,AC4] keep their key when they are changed, unless it would go to another origin', async () => {
      const { credentialId } = await ada.made()
      const { apiKey: _, ...withoutKey } = aCredential({ name: 'Renamed', timeoutMs: 20_000 })
      const changed = succeeded(await ada.change(credentialId, withoutKey))
      expect(changed).toMatchObject({ name: 'Renamed', timeoutMs: 20_000, keyHint: 'cdef' })
      const elsewhere = { ...withoutKey, baseUrl: 'http://127.0.0.1:10/v1' }
      for (const keeper of [ada, admin])
        expect(refusalOf(await keeper.change(credentialId, elsewhere))).toMatchObject({
          status: 400,
          details: { issues: [{ path: '/apiKey', message: expect.stringContaining('another server') }] },
        })
      expect(succeeded(await ada.read(credentialId))).toEqual(changed)
      const moved = await ada.change(credentialId, { ...elsewhere, apiKey: 'atr_another-key-9876' })
      expect(succeeded(moved)).toMatchObject({ baseUrl: elsewhere.baseUrl, keyHint: '9876' })
      expect(issuePathsOf(await ada.change(credentialId, { ...withoutKey, model: undefined }))).toEqual([
        '/model',
      ])
    })

    test('[R42,AC6] are named in a definition only by those who may use them', async () => {
      const [own, hers] = [await bob.made(), await ada.made()]
      const refused = await bob.save(studyWith(own.credentialId, hers.credentialId))
      expect(refusalOf(refused).details.issues).toEqual([
        {
          path: '/agents/1/credentialId',
          message: `there is no credential ‘${hers.credentialId}’ that you may use`,
        },
      ])
      const { experimentId } = succeeded(await ada.save(studyWith(hers.credentialId)))
      const shares = [{ user: bob.sub, access: 'edit' }]
      succeeded(
        await api.call(shareRoutes.replace, { token: ada.token, params: { experimentId }, body: { shares } }),
      )
      // The owner's stays usable for those who may edit, and theirs for the owner once it is in.
      succeeded(await bob.revise(experimentId, studyWith(hers.credentialId, own.credentialId)))
      succeeded(await ada.revise(experimentId, studyWith(own.credentialId)))
      const others = await admin.made()
      expect(issuePathsOf(await bob.revise(experimentId, studyWith(others.credentialId)))).toEqual([
        '/agents/0/credentialId',
      ])
      succeeded(await admin.revise(experimentId, studyWith(others.credentialId)))
      expect(issuePathsOf(await ada.revise(experimentId, studyWith(own.credentialId)))).toEqual([
        '/agents/0/credentialId',
      ])
      const usedBy = async (keeper: Keeper, id: string) => succeeded(await keeper.read(id)).usedBy
      expect(await usedBy(admin, others.credentialId)).toEqual([{ experimentId, name: 'A small study' }])
      expect(await usedBy(ada, hers.credentialId)).toEqual([])
    })

    test('[R42,AC7] are not deleted while an experiment runs with them', async () => {
      const { credentialId } = await ada.made()
      const { experimentId } = succeeded(await ada.save(studyWith(credentialId)))
      succeeded(await ada.become(experimentId, 'recruiting'))
      const refusal = refusalOf(await ada.remove(credentialId))
      expect(refusal).toEqual({
        status: 409,
        code: 'CREDENTIAL_IN_USE',
        details: { experiments: [{ experimentId, name: 'A small study' }], others: 0 },
      })
      succeeded(await ada.become(experimentId, 'paused'))
      expect(codeOf(await ada.remove(credentialId))).toBe('CREDENTIAL_IN_USE')
      succeeded(await ada.become(experimentId, 'closed'))
      expect(succeeded(await ada.remove(credentialId))).toEqual({ success: true })
      expect(codeOf(await ada.read(credentialId))).toBe('CREDENTIAL_NOT_FOUND')
      expect(refusalOf(await ada.become(experimentId, 'recruiting'))).toEqual({
        status: 409,
        code: 'CREDENTIAL_MISSING',
        details: { agents: [{ credentialId, path: '/agents/0/credentialId' }] },
      })
    })

    test('[R42,AC5] are tested with the checks of verify, and the result stays with them', async () => {
      const server = await startStubModelServer()
      onTestFinished(server.stop)
      const { baseUrl, apiKey } = server
      const { credentialId } = await ada.made({ baseUrl, apiKey })
      const answer = succeeded(await ada.test(credentialId))
      expect(Object.keys(answer).toSorted()).toEqual(['checks', 'ok'])
      expect(answer.checks.map(({ name }) => name)).toEqual([
        'reachable',
        'auth',
        'tool_calling',
        'concurrency',
      ])
      // Not concurrency: on a busy machine a server may look as if it did one thing at a time.
      expect(answer.checks.slice(0, 3).map(({ ok }) => ok)).toEqual([true, true, true])
      expect(answer.ok).toBe(answer.checks.every(({ ok }) => ok))
      expect(server.requests.some(({ key }) => key === apiKey)).toBe(true)
      const read = succeeded(await ada.read(credentialId))
      expect(read).toMatchObject({ lastTest: answer, lastTestedAt: expect.any(String) })
      const worse = await ada.change(credentialId, aCredential({ baseUrl, apiKey: 'atr_wrong' }))
      expect(succeeded(worse)).toMatchObject({ lastTest: null, lastTestedAt: null })
      const refused = succeeded(await ada.test(credentialId))
      expect(refused).toMatchObject({
        ok: false,
        checks: [{ name: 'reachable' }, { name: 'auth', ok: false }],
      })
    })

    test('[R42,AC8] are tested once at a time, and few times a minute', async () => {
      const asked = Promise.withResolvers<void>()
      const answered = Promise.withResolvers<void>()
      const server = await startStubModelServer({
        async onCompletion(_request, answer) {
          asked.resolve()
          await answered.promise
          return answer
        },
      })
      onTestFinished(server.stop)
      const { token } = await createResearcher(api)
      const keeper = credentialKeeper(api, token)
      const { credentialId } = await keeper.made({ baseUrl: server.baseUrl, apiKey: server.apiKey })
      const first = keeper.test(credentialId)
      await asked.promise
      // Those that are refused count as well; those of unknown ones do not.
      const unknown = await Promise.all(Array.from({ length: 5 }, () => keeper.test('cred_none')))
      expect(unknown.map(codeOf)).toEqual(Array(5).fill('CREDENTIAL_NOT_FOUND'))
      const more = [await keeper.test(credentialId)]
      expect([more[0]?.status, more.map(codeOf)]).toEqual([409, ['CREDENTIAL_TEST_RUNNING']])
      while (more.at(-1)?.status !== 429 && more.length < 50) more.push(await keeper.test(credentialId))
      const [last, ...before] = more.toReversed()
      expect(before.length).toBeGreaterThanOrEqual(limits.credentialTestsPerWindow - 1)
      expect(last && codeOf(last)).toBe('RATE_LIMITED')
      expect(last?.headers.get('retry-after')).toMatch(/^\d+$/)
      answered.resolve()
      expect(succeeded(await first).checks).toHaveLength(4)
    })

    test('[R42,AC8] a test that its caller does not wait for is ended, and leaves no result', async () => {
      const asked = Promise.withResolvers<void>()
      const server = await startStubModelServer({
        onCompletion() {
          asked.resolve()
          return new Promise(() => undefined)
        },
      })
      onTestFinished(server.stop)
      const { token } = await createResearcher(api)
      const keeper = credentialKeeper(api, token)
      const { credentialId } = await keeper.made({ baseUrl: server.baseUrl, apiKey: server.apiKey })
      const gone = new AbortController()
      const path = credentialRoutes.test.path.replace(':credentialId', credentialId)
      const options = { method: 'POST', headers: { authorization: `Bearer ${token}` }, signal: gone.signal }
      const answer = fetch(world().any().http + path, options)
      await asked.promise
      gone.abort()
      await expect(answer).rejects.toThrow()
      await waitUntil(async () => {
        const [row] = await readRows(world(), 'select * from agent_credentials where credential_id = $1', [
          credentialId,
        ])
        return row?.test_id === null || 'the test still runs'
      })
      expect(succeeded(await keeper.read(credentialId)).lastTest).toBeNull()
    })

    test('[R42] the key is in no column, log line, audit row, response or export', async () => {
      const canaries = { apiKey: 'canary-key-of-a-model-77', changed: 'canary-key-changed-1234' }
      const said: string[] = []
      const told = <Answer extends { text: string }>(answer: Answer): Answer => {
        said.push(answer.text)
        return answer
      }
      // Like servers that say which key they did not like.
      const server: StubModelServer = await startStubModelServer({
        accepts: () => true,
        onCompletion: () => ({
          status: 500,
          body: { error: { message: `not with ${server.requests.at(-1)?.key}` } },
        }),
      })
      onTestFinished(server.stop)
      const { token } = await createResearcher(api)
      const keeper = credentialKeeper(api, token)
      const body = aCredential({ baseUrl: server.baseUrl, apiKey: canaries.apiKey })
      const { credentialId } = succeeded(told(await keeper.create(body)))
      told(await keeper.test(credentialId))
      told(await keeper.change(credentialId, { ...body, apiKey: canaries.changed }))
      told(await keeper.test(credentialId))
      told(await keeper.change(credentialId, { ...body, apiKey: `${canaries.changed} ` }))
      told(await keeper.change(credentialId, { ...body, apiKey: { [canaries.changed]: canaries.changed } }))
      told(await keeper.create({ ...body, provider: 7 }))
      const { experimentId } = succeeded(told(await keeper.save(studyWith(credentialId))))
      told(await api.call(experimentRoutes.read, { token, params: { experimentId } }))
      told(await api.call(experimentRoutes.export, { token, params: { experimentId } }))
      said.push(JSON.stringify(await keeper.list()), await everythingStored(world()))
      for (const { stdout, stderr } of world().servers) said.push(stdout(), stderr())
      const broken = await fetch(world().any().http + credentialRoutes.create.path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: `{"apiKey": "${canaries.apiKey}", ${canaries.changed}`,
      })
      said.push(await broken.text())
      const keys = [...Object.values(canaries), aCredential().apiKey]
      expect(keys.filter((key) => said.some((text) => text.includes(key)))).toEqual([])
      // What is searched is what was meant.
      expect(said.some((text) => text.includes('<key>'))).toBe(true)
      expect(await everythingStored(world())).toContain(credentialId)
    })
  },
  { env: { LOG_LEVEL: 'trace' } },
)
