import {
  type ApiKey,
  experimentRoutes,
  keyRoutes,
  limits,
  type NewKey,
  participantRoutes,
  type RouteSpec,
  recruitmentRoutes,
  roomRoutes,
  shareRoutes,
} from '@atrium/contract'
import {
  type Api,
  codeOf,
  createResearcher,
  describeInBothModes,
  numberedEvent,
  smallestDefinition,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { expect, test } from 'vitest'
import { newApiKey } from '../../src/kernel/api-key.ts'
import { castOf, upTo } from './cast.ts'
import { changeRows, everythingStored, readRows } from './database.ts'
import { expectRefused } from './rates.ts'
import { issuePathsOf, refusalOf } from './refusal.ts'

describeInBothModes(
  '[R49] API keys',
  (world) => {
    const cast = castOf(world)
    const researcher = (roles?: string[]) => createResearcher(cast.api, roles)
    const create = (token: string, body: Partial<NewKey> = {}) =>
      cast.api.call(keyRoutes.create, { token, body: { name: 'Script', access: 'read', ...body } })
    const keyOf = async (token: string, body: Partial<NewKey> = {}) => succeeded(await create(token, body))
    const revoke = (token: string, keyId: string) =>
      cast.api.call(keyRoutes.revoke, { token, params: { keyId } })
    const listed = async (token: string): Promise<ApiKey[]> =>
      succeeded(await cast.api.call(keyRoutes.list, { token })).keys
    const call = (route: RouteSpec, token: string, params: Record<string, string> = {}, body?: unknown) =>
      cast.api.call(route, { token, params, ...(body === undefined ? {} : { body }) })
    const experimentsSeen = async (token: string) =>
      succeeded(await cast.api.call(experimentRoutes.list, { token })).experiments
    const refusedSoon = (api: Api, key: string) =>
      waitUntil(async () => {
        const answer = await api.call(experimentRoutes.list, { token: key })
        return codeOf(answer) === 'UNAUTHENTICATED' || `${answer.status} ${answer.text}`
      })

    test('[K3] a read key reads what its owner may, and changes nothing', async () => {
      const owner = await researcher()
      const experimentId = await owner.openExperiment()
      const { session } = await cast.participant(experimentId)
      succeeded(await cast.send(session, [numberedEvent(1)]))
      const { key, keyId } = await keyOf(owner.token)
      expect(key).toMatch(/^atk_[0-9A-Za-z]{54}$/)
      const params = { experimentId }
      const lines = await call(experimentRoutes.export, key, params)
      expect(lines.status).toBe(200)
      expect(lines.text).toBe((await call(experimentRoutes.export, owner.token, params)).text)
      expect(lines.text.trim().split('\n')).toHaveLength(1)
      expect(succeeded(await cast.api.call(experimentRoutes.read, { token: key, params })).access).toBe(
        'view',
      )
      expect((await call(roomRoutes.state, key, { roomId: session.roomId })).status).toBe(200)
      const changes: [RouteSpec, Record<string, string>, unknown][] = [
        [experimentRoutes.create, {}, smallestDefinition()],
        [experimentRoutes.revise, params, smallestDefinition({ name: 'Changed by a script' })],
        [experimentRoutes.changeStatus, params, { status: 'closed' }],
        [roomRoutes.end, { roomId: session.roomId }, {}],
      ]
      for (const [route, ids, body] of changes)
        expect([route.path, refusalOf(await call(route, key, ids, body))]).toMatchObject([
          route.path,
          { status: 403, code: 'FORBIDDEN', details: { reason: 'read_only' } },
        ])
      const seen = succeeded(await cast.api.call(experimentRoutes.read, { token: owner.token, params }))
      expect(seen).toMatchObject({ revision: 1, status: 'recruiting' })
      const audited = await readRows(
        world(),
        `select actor, details from audit_log where action = 'events_exported' and subject = '${experimentId}' order by at`,
      )
      expect(audited.map(({ details }) => JSON.parse(String(details)).keyId)).toEqual([keyId, undefined])
      expect(new Set(audited.map(({ actor }) => actor)).size).toBe(1)
    })

    test('[K9] a write key changes as its owner, who is named in the audit with the key', async () => {
      const owner = await researcher()
      const { key, keyId } = await keyOf(owner.token, { access: 'write' })
      const created = await cast.api.call(experimentRoutes.create, { token: key, body: smallestDefinition() })
      const { experimentId } = succeeded(created)
      const params = { experimentId }
      const revised = await call(experimentRoutes.revise, key, params, smallestDefinition({ name: 'Again' }))
      expect(revised.status).toBe(200)
      expect((await call(experimentRoutes.changeStatus, key, params, { status: 'recruiting' })).status).toBe(
        200,
      )
      const mine = succeeded(await cast.api.call(experimentRoutes.read, { token: owner.token, params }))
      expect(mine).toMatchObject({ access: 'owner', revision: 2, status: 'recruiting' })
      const audited = await readRows(
        world(),
        `select actor, action, details from audit_log where subject = '${experimentId}' order by at, action`,
      )
      expect(audited.map(({ action }) => action).toSorted()).toEqual([
        'experiment_created',
        'experiment_revised',
        'experiment_status',
      ])
      for (const { actor, details } of audited) {
        expect(String(actor).endsWith(` ${owner.sub}`)).toBe(true)
        expect(JSON.parse(String(details))).toMatchObject({ keyId })
      }
    })

    test('[K8] a limited key knows its experiments only, and others not from unknown ones', async () => {
      const owner = await researcher()
      const [own, other] = [await owner.openExperiment(), await owner.openExperiment()]
      const { session } = await cast.participant(other)
      const { key } = await keyOf(owner.token, { access: 'write', experiments: [own] })
      expect((await experimentsSeen(key)).map(({ experimentId }) => experimentId)).toEqual([own])
      expect((await call(experimentRoutes.monitor, key, { experimentId: own })).status).toBe(200)
      for (const route of [experimentRoutes.read, experimentRoutes.export, experimentRoutes.changeStatus]) {
        const body = route.method === 'POST' ? { status: 'closed' } : undefined
        const hidden = await call(route, key, { experimentId: other }, body)
        const unknown = await call(route, key, { experimentId: 'exp_unknown' }, body)
        expect([hidden.status, codeOf(hidden)]).toEqual([404, 'EXPERIMENT_NOT_FOUND'])
        expect(hidden.text).toBe(unknown.text.replaceAll('exp_unknown', other))
      }
      expect(codeOf(await call(roomRoutes.state, key, { roomId: session.roomId }))).toBe('ROOM_NOT_FOUND')
      const made = await call(experimentRoutes.create, key, {}, smallestDefinition())
      expect(refusalOf(made)).toMatchObject({ status: 403, details: { reason: 'limited' } })
    })

    test('[K2,K4] a key loses access with its owner, at once; shares by e-mail count', async () => {
      const owner = await researcher()
      const email = `${owner.sub}@lab.example.org`
      const byEmail = await cast.api.token(`reader-of-${owner.sub}`, ['researcher'], email.toUpperCase())
      const experimentId = await owner.openExperiment()
      const share = async (shares: object[]) =>
        expect((await call(shareRoutes.replace, owner.token, { experimentId }, { shares })).status).toBe(200)
      await share([{ user: email, access: 'edit' }])
      const { key } = await keyOf(byEmail, { access: 'write', experiments: [experimentId] })
      const close = () => call(experimentRoutes.changeStatus, key, { experimentId }, { status: 'paused' })
      expect((await close()).status).toBe(200)
      await share([{ user: email, access: 'view' }])
      expect(codeOf(await close())).toBe('FORBIDDEN')
      expect((await call(experimentRoutes.export, key, { experimentId })).status).toBe(200)
      await share([])
      expect(codeOf(await call(experimentRoutes.export, key, { experimentId }))).toBe('EXPERIMENT_NOT_FOUND')
      expect(await experimentsSeen(key)).toEqual([])
    })

    test('[K2,K3,K7] no key shares, names people, takes part, or manages keys; an administrator’s is a researcher’s', async () => {
      const [owner, admin] = [await researcher(), await researcher(['admin'])]
      const [experimentId, ofAdmin] = [await owner.openExperiment(), await admin.openExperiment()]
      const { session } = await cast.participant(experimentId)
      const [mine, theirs] = [
        await keyOf(owner.token, { access: 'write' }),
        await keyOf(admin.token, { access: 'write' }),
      ]
      const attempts: [RouteSpec, Record<string, string>, unknown?][] = [
        [shareRoutes.read, { experimentId }],
        [shareRoutes.replace, { experimentId }, { shares: [] }],
        [recruitmentRoutes.list, { experimentId }],
        [keyRoutes.create, {}, { name: 'Another', access: 'write' }],
        [keyRoutes.list, {}],
        [keyRoutes.revoke, { keyId: mine.keyId }],
        [experimentRoutes.revokeSession, { sessionId: session.sessionId }],
        [participantRoutes.joinV4, {}, { experimentId }],
        [participantRoutes.historyV4, {}],
      ]
      for (const { key } of [mine, theirs])
        for (const [route, params, body] of attempts)
          expect([route.path, refusalOf(await call(route, key, params, body))]).toMatchObject([
            route.path,
            { status: 403, code: 'FORBIDDEN', details: { reason: 'people_only' } },
          ])
      expect(codeOf(await call(experimentRoutes.read, theirs.key, { experimentId }))).toBe(
        'EXPERIMENT_NOT_FOUND',
      )
      const seen = await experimentsSeen(theirs.key)
      expect(seen.find((one) => one.experimentId === ofAdmin)?.access).toBe('edit')
      expect(seen.map((one) => one.experimentId)).not.toContain(experimentId)
      expect((await listed(owner.token)).map(({ keyId }) => keyId)).toEqual([mine.keyId])
    })

    test('[K5] a revoked key is refused by every instance; an expired or a wrong one as well', async () => {
      const owner = await researcher()
      const [first, second] = [await keyOf(owner.token), await keyOf(owner.token)]
      for (const api of cast.eachApi())
        for (const { key } of [first, second])
          expect((await api.call(experimentRoutes.list, { token: key })).status).toBe(200)
      expect(succeeded(await revoke(owner.token, first.keyId))).toEqual({ success: true })
      for (const api of cast.eachApi()) await refusedSoon(api, first.key)
      expect(codeOf(await revoke(owner.token, first.keyId))).toBe('KEY_NOT_FOUND')
      for (const api of cast.eachApi())
        expect((await api.call(experimentRoutes.list, { token: second.key })).status).toBe(200)
      await changeRows(world(), `update api_keys set expires_at = 1 where key_id = '${second.keyId}'`)
      for (const api of cast.eachApi()) await refusedSoon(api, second.key)
      for (const wrong of [newApiKey().key, `${second.key}x`, 'atk_'])
        expect(codeOf(await call(experimentRoutes.list, wrong))).toBe('UNAUTHENTICATED')
      const audited = await readRows(
        world(),
        `select action from audit_log where subject = '${first.keyId}' order by at, action`,
      )
      expect(audited.map(({ action }) => action)).toEqual(['key_created', 'key_revoked'])
    })

    test('[K6,K7] people see and revoke their own keys; administrators, everybody’s', async () => {
      const [owner, other, admin] = [await researcher(), await researcher(), await researcher(['admin'])]
      const experimentId = await owner.openExperiment()
      const expiresAt = '2099-01-01T00:00:00.000Z'
      const { keyId, key } = await keyOf(owner.token, { experiments: [experimentId], expiresAt })
      const [before] = await listed(owner.token)
      expect(before).toMatchObject({
        keyId,
        name: 'Script',
        access: 'read',
        experiments: [experimentId],
        lastUsedAt: null,
        expiresAt,
        owner: owner.sub,
        isOwn: true,
      })
      succeeded(await cast.api.call(experimentRoutes.list, { token: key }))
      await waitUntil(async () => (await listed(owner.token))[0]?.lastUsedAt !== null || 'not noted yet')
      expect(await listed(other.token)).toEqual([])
      expect(codeOf(await revoke(other.token, keyId))).toBe('KEY_NOT_FOUND')
      const shown = (await listed(admin.token)).find((one) => one.keyId === keyId)
      expect(shown).toMatchObject({ owner: owner.sub, isOwn: false })
      succeeded(await revoke(admin.token, keyId))
      expect(await listed(owner.token)).toEqual([])
    })

    test('a key is refused that could not do what it says, and so is one too many', async () => {
      const [owner, other] = [await researcher(), await researcher()]
      const [own, foreign] = [await owner.openExperiment(), await other.openExperiment()]
      const refusals: [Record<string, unknown>, string[]][] = [
        [
          { experiments: [own, foreign, 'exp_none', own] },
          ['/experiments/1', '/experiments/2', '/experiments/3'],
        ],
        [{ experiments: [] }, ['/experiments']],
        [{ expiresAt: '2020-01-01T00:00:00Z' }, ['/expiresAt']],
        [{ expiresAt: 'soon' }, ['/expiresAt']],
        [{ access: 'admin' }, ['/access']],
        [{ name: '' }, ['/name']],
        [{ acess: 'write' }, ['/acess']],
      ]
      for (const [body, paths] of refusals) {
        const refused = await create(owner.token, body as Partial<NewKey>)
        expect([body, refused.status, issuePathsOf(refused)]).toEqual([body, 400, paths])
      }
      for (const _ of upTo(limits.keysPerResearcher)) await keyOf(owner.token)
      const [last] = await listed(owner.token)
      expect(codeOf(await create(owner.token))).toBe('KEY_LIMIT')
      succeeded(await revoke(owner.token, last?.keyId ?? ''))
      await keyOf(owner.token)
    })

    test('[K1,K10] each key has limits of its own, and wrong keys use up those of the address', async () => {
      const owner = await researcher()
      const { key } = await keyOf(owner.token)
      const params = { experimentId: 'exp_none' }
      const exported = (token: string) => call(experimentRoutes.export, token, params)
      for (const _ of upTo(limits.researcherRequestsPerWindow.export))
        expect(codeOf(await exported(key))).toBe('EXPERIMENT_NOT_FOUND')
      expectRefused(await exported(key))
      expect(codeOf(await exported(owner.token))).toBe('EXPERIMENT_NOT_FOUND')
      expect(codeOf(await exported((await keyOf(owner.token)).key))).toBe('EXPERIMENT_NOT_FOUND')
      const headers = { 'x-forwarded-for': '203.0.113.9' }
      const guess = () => cast.api.call(experimentRoutes.list, { token: newApiKey().key, headers })
      for (const _ of upTo(limits.failedAuthenticationsPerWindow))
        expect(codeOf(await guess())).toBe('UNAUTHENTICATED')
      expectRefused(await guess())
    })

    test('the key is nowhere: not in the database, the log, the metrics, an export or a response', async () => {
      const owner = await researcher()
      const experimentId = await owner.openExperiment(smallestDefinition({ name: 'With a canary' }))
      const { key, keyId } = await keyOf(owner.token, { access: 'write' })
      const secret = key.slice(20)
      const { session } = await cast.participant(experimentId)
      // Somebody pastes it where it does not belong.
      const said = { type: 'said', data: { text: `key: ${key}` }, eventId: key }
      succeeded(await cast.send(session, [numberedEvent(1, said)]))
      const renamed = smallestDefinition({ name: `With ${key}` })
      expect((await call(experimentRoutes.revise, key, { experimentId }, renamed)).status).toBe(200)
      const headers = { 'x-request-id': key }
      const told = [
        await cast.api.call(experimentRoutes.list, { token: key, headers }),
        await call(experimentRoutes.read, key, { experimentId }),
        await call(experimentRoutes.export, key, { experimentId }),
        await call(experimentRoutes.read, key, { experimentId: key }),
        await create(owner.token, { experiments: [key] }),
        await cast.api.call(keyRoutes.list, { token: owner.token }),
        await cast.api.call(experimentRoutes.list, { token: `${key}x` }),
        await cast.api.call(experimentRoutes.export, {
          token: key,
          params: { experimentId },
          query: { format: key },
        }),
      ]
      for (const { text, headers: sent } of told)
        expect(text + JSON.stringify([...sent])).not.toContain(secret)
      expect(told[2]?.text).toContain(`"text":"key: ${keyId}"`)
      for (const server of world().servers) {
        expect(server.stdout() + server.stderr()).not.toContain(secret)
        expect(await (await fetch(`${server.metrics}/metrics`)).text()).not.toContain(secret)
      }
      // What people wrote is stored as they wrote it; the key itself is not.
      const keys = await readRows(world(), `select * from api_keys where key_id = '${keyId}'`)
      const audit = await readRows(world(), 'select * from audit_log')
      expect(JSON.stringify([keys, audit])).not.toContain(secret)
      const unspoken = await keyOf(owner.token)
      expect((await call(experimentRoutes.list, unspoken.key)).status).toBe(200)
      const stored = await everythingStored(world())
      expect(stored).toContain(unspoken.keyId)
      expect(stored).not.toContain(unspoken.key.slice(20))
    })
  },
  { env: { TRUST_PROXY: 'true', LOG_LEVEL: 'trace' } },
)
