import {
  type ExperimentDefinition,
  experimentRoutes,
  limits,
  type RouteSpec,
  recruitmentRoutes,
  roomRoutes,
  type Share,
  shareRoutes,
} from '@atrium/contract'
import {
  type CallOptions,
  createResearcher,
  describeInOneMode,
  smallestDefinition,
  succeeded,
} from '@atrium/testkit'
import { expect, test } from 'vitest'
import { readRows } from '../rooms/rows.ts'
import { castOf } from './cast.ts'
import { issuePathsOf, refusalOf } from './refusal.ts'

describeInOneMode('[R37] an experiment belongs to its creator', (world) => {
  const cast = castOf(world)
  const researcher = () => createResearcher(cast.api)
  const call = <Spec extends RouteSpec>(
    route: Spec,
    token: string,
    params: Record<string, string>,
    body?: CallOptions['body'],
  ) => cast.api.call(route, { token, params, ...(body === undefined ? {} : { body }) })
  const share = (token: string, experimentId: string, shares: unknown) =>
    call(shareRoutes.replace, token, { experimentId }, { shares })
  const listed = async (token: string) =>
    new Map(
      succeeded(await cast.api.call(experimentRoutes.list, { token })).experiments.map(
        ({ experimentId, access }) => [experimentId, access],
      ),
    )

  test('[X12] others cannot see it or tell it from one that does not exist', async () => {
    const [owner, other] = [await researcher(), await researcher()]
    const experimentId = await owner.openExperiment()
    expect((await listed(owner.token)).get(experimentId)).toBe('owner')
    expect((await listed(other.token)).has(experimentId)).toBe(false)
    const admin = await createResearcher(cast.api, ['admin'])
    expect((await listed(admin.token)).get(experimentId)).toBe('admin')
    const hidden = await call(experimentRoutes.read, other.token, { experimentId })
    const unknown = await call(experimentRoutes.read, other.token, { experimentId: 'exp_unknown' })
    expect(hidden.status).toBe(404)
    expect(hidden.text).toBe(unknown.text.replaceAll('exp_unknown', experimentId))
    expect(succeeded(await call(experimentRoutes.read, admin.token, { experimentId })).access).toBe('admin')
  })

  test('[X12,X15] people who may see it but not change it are told so, and nothing changes', async () => {
    const [owner, viewer, editor, stranger] = [
      await researcher(),
      await researcher(),
      await researcher(),
      await researcher(),
    ]
    const experimentId = await owner.openExperiment()
    const { session } = await cast.participant(experimentId)
    const shares: Share[] = [
      { user: viewer.sub, access: 'view' },
      { user: editor.sub, access: 'edit' },
    ]
    expect(succeeded(await share(owner.token, experimentId, shares))).toEqual({ shares })
    expect((await listed(viewer.token)).get(experimentId)).toBe('view')
    expect((await listed(editor.token)).get(experimentId)).toBe('edit')

    const { roomId } = session
    const changes: [RouteSpec, Record<string, string>, unknown?][] = [
      [experimentRoutes.revise, { experimentId }, smallestDefinition({ name: 'Taken over' })],
      [experimentRoutes.changeStatus, { experimentId }, { status: 'closed' }],
      [roomRoutes.end, { roomId }, {}],
      [roomRoutes.remove, { roomId, participantId: session.participantId }, {}],
      [shareRoutes.replace, { experimentId }, { shares: [{ user: stranger.sub, access: 'edit' }] }],
    ]
    const before = succeeded(await call(experimentRoutes.read, owner.token, { experimentId }))
    for (const [route, params, body] of changes) {
      const refused = await call(route, viewer.token, params, body)
      expect([route.path, refusalOf(refused)]).toMatchObject([
        route.path,
        { status: 403, code: 'FORBIDDEN', details: { access: 'view' } },
      ])
      expect((await call(route, stranger.token, params, body)).status).toBe(404)
    }
    expect(succeeded(await call(experimentRoutes.read, owner.token, { experimentId }))).toEqual(before)
    expect(succeeded(await call(roomRoutes.state, viewer.token, { roomId })).status).toBe('running')
    expect((await cast.discover(session)).status).toBe(200)

    expect(
      (await call(experimentRoutes.changeStatus, editor.token, { experimentId }, { status: 'paused' }))
        .status,
    ).toBe(200)
    expect((await call(roomRoutes.end, editor.token, { roomId }, {})).status).toBe(200)
    for (const route of [shareRoutes.read, shareRoutes.replace, recruitmentRoutes.list]) {
      const body = route.method === 'PUT' ? { shares: [] } : undefined
      const answer = await call(route, editor.token, { experimentId }, body)
      expect(refusalOf(answer)).toMatchObject({
        status: 403,
        code: 'FORBIDDEN',
        details: { access: 'edit', needed: 'owner' },
      })
      expect(answer.text).toContain('Only the owner of the experiment and administrators can do this.')
    }
  })

  test('[X12] a share applies from the next request on every instance, until it is revoked', async () => {
    const [owner, guestResearcher] = [await researcher(), await researcher()]
    const experimentId = await owner.openExperiment()
    const statuses = () =>
      Promise.all(
        cast.eachApi().map(
          async (api) =>
            (
              await api.call(experimentRoutes.monitor, {
                token: guestResearcher.token,
                params: { experimentId },
              })
            ).status,
        ),
      )
    expect(new Set(await statuses())).toEqual(new Set([404]))
    succeeded(await share(owner.token, experimentId, [{ user: guestResearcher.sub, access: 'view' }]))
    expect(new Set(await statuses())).toEqual(new Set([200]))
    succeeded(await share(owner.token, experimentId, []))
    expect(new Set(await statuses())).toEqual(new Set([404]))
  })

  test('[X13] an e-mail address means the person who has verified it, in upper or lower case, and never a subject', async () => {
    const owner = await researcher()
    const experimentId = await owner.openExperiment()
    const address = `ada.${experimentId.toLowerCase()}@example.org`
    const shares = [{ user: address.toUpperCase(), access: 'view' }]
    expect(succeeded(await share(owner.token, experimentId, shares))).toEqual({ shares })
    expect(succeeded(await call(shareRoutes.read, owner.token, { experimentId }))).toEqual({ shares })
    const seenBy = async (sub: string, email?: string) => {
      const token = await cast.api.token(sub, ['researcher'], email)
      return (await call(experimentRoutes.read, token, { experimentId })).status
    }
    expect(await seenBy('ada', address)).toBe(200)
    expect(await seenBy('ada')).toBe(404)
    expect(await seenBy(address)).toBe(404)
    expect(await seenBy(address.toUpperCase())).toBe(404)
    expect(await seenBy('bob', `x${address}`)).toBe(404)
  })

  test('[X13] a share is not a role: people who are not researchers get no access', async () => {
    const owner = await researcher()
    const experimentId = await owner.openExperiment()
    const person = await cast.person()
    succeeded(await share(owner.token, experimentId, [{ user: person.sub, access: 'edit' }]))
    const refused = await call(experimentRoutes.read, person.token, { experimentId })
    expect(refusalOf(refused)).toMatchObject({ status: 403, code: 'FORBIDDEN', details: {} })
  })

  test.each<[string, unknown, string]>([
    ['the same person twice', [one('ada'), one('bob'), { user: 'ada', access: 'edit' }], '/shares/2/user'],
    ['the same address twice, in different case', [one('a@x.org'), one('A@X.ORG')], '/shares/1/user'],
    ['nobody', [one('')], '/shares/0/user'],
    ['a blank before the name', [one(' ada')], '/shares/0/user'],
    ['half an address', [one('ada@')], '/shares/0/user'],
    ['two addresses in one', [one('ada@x.org, bob@x.org')], '/shares/0/user'],
    ['a name that is too long', [one('x'.repeat(256))], '/shares/0/user'],
    ['a character that no database stores', [one('a\u0000b')], '/shares/0/user'],
    ['a lone surrogate', [one('a\ud800')], '/shares/0/user'],
    ['an unknown access', [{ user: 'ada', access: 'owner' }], '/shares/0/access'],
    ['an undocumented property', [{ user: 'ada', access: 'view', until: 'tomorrow' }], '/shares/0/until'],
    [
      'too many people',
      Array.from({ length: limits.sharesPerExperiment + 1 }, (_, at) => one(`p${at}`)),
      '/shares',
    ],
    ['something that is not a list', 'ada', '/shares'],
  ])('[X14] shares with %s are refused, and the list is unchanged', async (_name, shares, path) => {
    const owner = await researcher()
    const experimentId = await owner.openExperiment()
    const kept = [one('kept')]
    succeeded(await share(owner.token, experimentId, kept))
    const refused = await share(owner.token, experimentId, shares)
    expect(refusalOf(refused)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    expect(issuePathsOf(refused)).toContain(path)
    expect(succeeded(await call(shareRoutes.read, owner.token, { experimentId })).shares).toEqual(kept)
  })

  test('[X14] who shares with whom is audited', async () => {
    const owner = await researcher()
    const experimentId = await owner.openExperiment()
    const admin = await createResearcher(cast.api, ['admin'])
    succeeded(await share(owner.token, experimentId, [one('ada')]))
    succeeded(await share(owner.token, experimentId, [one('ada')]))
    succeeded(await share(admin.token, experimentId, []))
    const rows = await readRows(
      world(),
      `select actor, details from audit_log where action = 'experiment_shared' and subject = '${experimentId}' order by at`,
    )
    expect(
      rows.map(({ actor, details }) => [String(actor).split(' ').at(-1), JSON.parse(String(details))]),
    ).toEqual([
      [owner.sub, { before: [], after: [one('ada')] }],
      [admin.sub, { before: [one('ada')], after: [] }],
    ])
  })

  test('owning a room gives no access to participants of other experiments', async () => {
    const [owner, thief] = [await researcher(), await researcher()]
    const trio: ExperimentDefinition = smallestDefinition({ matching: { groupSize: 3 } })
    const theirs = await cast.participant(await owner.openExperiment(trio))
    const own = await thief.openExperiment(trio)
    const participants = [theirs.session.participantId]
    const body = { participantIds: participants }
    expect(refusalOf(await call(roomRoutes.create, thief.token, { experimentId: own }, body)).code).toBe(
      'ACTION_REFUSED',
    )
    const solo = await cast.participant(await thief.openExperiment())
    const params = { roomId: solo.session.roomId, participantId: theirs.session.participantId }
    const removed = await call(roomRoutes.remove, thief.token, params, {})
    expect(removed.status).toBeGreaterThanOrEqual(400)
    expect((await cast.discover(theirs.session)).status).toBe(200)
  })
})

const one = (user: string): Share => ({ user, access: 'view' })
