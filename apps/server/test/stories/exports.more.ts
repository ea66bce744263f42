import { experimentRoutes, keyRoutes, shareRoutes } from '@atrium/contract'
import {
  createApi,
  createResearcher,
  describeInOneMode,
  numberedEvent,
  type Server,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { beforeAll, expect, test } from 'vitest'
import { readRows } from '../rooms/rows.ts'
import { castOf, upTo } from './cast.ts'
import { changeRows } from './database.ts'
import { openExport, openLargeStudy } from './large-study.ts'
import { refusalOf } from './refusal.ts'

describeInOneMode(
  'exports',
  (world) => {
    const cast = castOf(world)
    let study: Awaited<ReturnType<typeof openLargeStudy>>
    beforeAll(async () => {
      study = await openLargeStudy(cast)
    })

    const server = (): Server => world().any()
    const start = async (on: Server, token?: string, query: Record<string, string> = {}) =>
      await openExport(on, token ?? (await cast.researcher()).token, study.experimentId, query)

    /** The audit entries of an export, in order; waits for its end. */
    async function audited(requestId: string) {
      const rows = () =>
        readRows(
          world(),
          `select action, details from audit_log where details like '%"${requestId}"%' order by at, action desc`,
        )
      await waitUntil(async () => (await rows()).length > 1 || 'the end is not audited yet', {
        timeoutMs: 240_000,
      })
      return (await rows()).map(({ action, details }) => ({ action, ...JSON.parse(String(details)) }))
    }

    const ended = async (on: Server, outcome: string): Promise<number> => {
      const scrape = await (await fetch(`${on.metrics}/metrics`)).text()
      return Number(
        new RegExp(`^app_exports_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(scrape)?.[1] ?? 0,
      )
    }

    test('[R23] an export read to the end is audited as complete', async () => {
      const on = server()
      const before = await ended(on, 'complete')
      const whole = await start(on)
      await whole.rest()
      expect(whole.lines()).toBe(study.events)
      const { requestId } = whole
      expect(await audited(requestId)).toEqual([
        { action: 'events_exported', requestId },
        { action: 'export_completed', requestId, events: study.events },
      ])
      expect(await ended(on, 'complete')).toBe(before + 1)
    })

    test('[R47] tables in other formats end, break off and are audited as events are', async () => {
      const { token } = await cast.researcher()
      const query = { table: 'responses', format: 'csv', revision: '1' }
      const whole = await start(server(), token, query)
      await whole.rest()
      expect(whole.lines()).toBe(study.events + 1)
      const asked = { requestId: whole.requestId, format: 'csv', revision: '1' }
      expect(await audited(whole.requestId)).toEqual([
        { action: 'responses_exported', ...asked },
        { action: 'export_completed', requestId: whole.requestId, responses: study.events },
      ])
      for (const format of ['csv', 'parquet']) {
        const broken = await start(server(), token, { table: 'events', format })
        await changeRows(world(), 'alter table events rename to events_away')
        try {
          await expect(broken.rest()).rejects.toThrow()
        } finally {
          await changeRows(world(), 'alter table events_away rename to events')
        }
        expect((await audited(broken.requestId))[1]).toMatchObject({
          action: 'export_broken',
          reason: 'store_failed',
        })
      }
    })

    test('[E7] an export whose client disconnects is audited as broken', async () => {
      const on = server()
      const before = await ended(on, 'broken')
      const left = await start(on)
      left.leave()
      const [, end] = await audited(left.requestId)
      expect(end).toMatchObject({ action: 'export_broken', reason: 'client_left' })
      expect(end.events).toBeLessThan(study.events)
      expect(await ended(on, 'broken')).toBe(before + 1)
    })

    test('[E7] an export whose database fails is cut off, so that nobody takes it for complete', async () => {
      const broken = await start(server())
      await changeRows(world(), 'alter table events rename to events_away')
      try {
        await expect(broken.rest()).rejects.toThrow()
      } finally {
        await changeRows(world(), 'alter table events_away rename to events')
      }
      expect(broken.lines()).toBeLessThan(study.events)
      const [, end] = await audited(broken.requestId)
      expect(end).toMatchObject({ action: 'export_broken', reason: 'store_failed' })
      const again = await start(server())
      await again.rest()
      expect(again.lines()).toBe(study.events)
    })

    test('[E22] an export ends when the share is withdrawn that allowed it', async () => {
      const [owner, guest] = [await cast.researcher(), await createResearcher(cast.api)]
      const share = async (shares: object[]) => {
        const options = { token: owner.token, params: { experimentId: study.experimentId }, body: { shares } }
        succeeded(await cast.api.call(shareRoutes.replace, options))
      }
      await share([{ user: guest.sub, access: 'view' }])
      const shared = await start(server(), guest.token)
      await share([])
      await expect(shared.rest()).rejects.toThrow()
      expect(shared.lines()).toBeLessThan(study.events)
      const [, end] = await audited(shared.requestId)
      expect(end).toMatchObject({ action: 'export_broken', reason: 'access_withdrawn' })
    })

    test('[R49,K5] an export ends when the key is revoked that asked for it', async () => {
      const { token } = await cast.researcher()
      const body = { name: 'Export', access: 'read' }
      const { keyId, key } = succeeded(await cast.api.call(keyRoutes.create, { token, body }))
      const on = server()
      const held = await start(on, key)
      succeeded(await cast.api.call(keyRoutes.revoke, { token, params: { keyId } }))
      const there = createApi(on.http)
      await waitUntil(
        async () =>
          (await there.call(experimentRoutes.list, { token: key })).status === 401 || 'not known yet',
      )
      await expect(held.rest()).rejects.toThrow()
      expect(held.lines()).toBeLessThan(study.events)
      expect((await audited(held.requestId))[1]).toMatchObject({
        action: 'export_broken',
        reason: 'access_withdrawn',
        keyId,
      })
    })

    test('[E6] while eight exports are held by their readers, everything else goes on', async () => {
      const experimentId = await cast.open()
      const exports = await Promise.all(upTo(8).map(() => start(server())))
      for (const number of upTo(20)) {
        const { session } = await cast.participant(experimentId)
        succeeded(await cast.send(session, [numberedEvent(number)]))
      }
      expect((await cast.monitor(experimentId)).events).toBe(20)
      expect((await cast.exported(experimentId)).map(({ data }) => data.value)).toEqual(upTo(20))
      for (const held of exports) expect(held.lines()).toBeLessThan(study.events)
      await Promise.all(exports.map((held) => held.rest()))
      for (const held of exports) expect(held.lines()).toBe(study.events)
    })

    test('[E8] researchers who hold all places and do not read keep nobody out; places that become free can be used again', async () => {
      const on = server()
      const api = createApi(on.http)
      const { token } = await cast.researcher()
      const taken = await Promise.all(upTo(16).map(() => start(on)))
      const ask = (token: string) =>
        api.call(experimentRoutes.export, { token, params: { experimentId: study.experimentId } })
      const refused = await ask(token)
      expect(refusalOf(refused)).toMatchObject({ status: 503, code: 'UNAVAILABLE' })
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
      const others = await api.token('another-researcher', ['admin'])
      taken.push(...(await Promise.all(upTo(8).map(() => start(on, others)))))
      // All places of the study are taken, and nobody reads.
      const third = await start(on, await api.token('third-researcher', ['admin']))
      await third.rest()
      expect(third.lines()).toBe(study.events)
      const broken = () =>
        readRows(world(), `select 1 from audit_log where details like '%"reason":"place_needed"%'`)
      await waitUntil(async () => (await broken()).length === 1 || 'not audited yet')
      for (const one of taken) one.leave()
      await waitUntil(async () => (await ask(token)).status === 200 || 'no place is free yet')
    })

    test('[E7] a server that stops cuts its exports off and audits them', async () => {
      const on = server()
      const held = await start(on)
      await on.restart()
      await expect(held.rest()).rejects.toThrow()
      expect((await audited(held.requestId))[1]).toMatchObject({
        action: 'export_broken',
        reason: 'server_stopping',
      })
    })
  },
  // Where exports could take all of a small number of connections.
  { mode: 'cluster' },
)
