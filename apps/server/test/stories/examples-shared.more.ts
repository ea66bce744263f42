import { experimentRoutes, participantRoutes, shareRoutes } from '@atrium/contract'
import { createApi, createPerson, createResearcher, startServer, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { audience, newKey, startIssuer } from '../security/local-issuer.ts'
import { refusalOf } from './refusal.ts'

const params = { experimentId: 'quick-survey' }

test('[R37,X16] every researcher can see and copy the examples, which belong to nobody', async () => {
  const server = await startServer()
  const api = createApi(server.http)
  const { token } = await createResearcher(api)
  const { experiments } = succeeded(await api.call(experimentRoutes.list, { token }))
  expect(experiments.length).toBeGreaterThan(0)
  expect(new Set(experiments.map(({ access }) => access))).toEqual(new Set(['view']))
  const example = succeeded(await api.call(experimentRoutes.read, { token, params }))
  expect(example.status).toBe('recruiting')

  for (const [route, body] of [
    [experimentRoutes.revise, example.definition],
    [experimentRoutes.changeStatus, { status: 'closed' }],
    [shareRoutes.replace, { shares: [] }],
  ] as const) {
    const refused = await api.call(route, { token, params, body })
    expect(refusalOf(refused)).toMatchObject({ status: 403, details: { access: 'view' } })
    expect(refused.text).toContain('Make a copy')
  }
  const copy = succeeded(await api.call(experimentRoutes.create, { token, body: example.definition }))
  const copied = { experimentId: copy.experimentId }
  expect(succeeded(await api.call(experimentRoutes.read, { token, params: copied })).access).toBe('owner')
  const status = { token, params: copied, body: { status: 'recruiting' } }
  expect((await api.call(experimentRoutes.changeStatus, status)).status).toBe(200)

  // People can take part in an example as in any recruiting experiment, and every researcher sees it.
  const { participantId } = await (await createPerson(api)).join(params.experimentId)
  expect(participantId).toMatch(/^part_/)
  const monitor = succeeded(await api.call(experimentRoutes.monitor, { token, params }))
  expect(monitor.participants.total).toBe(1)

  const admin = await createResearcher(api, ['admin'])
  succeeded(
    await api.call(experimentRoutes.changeStatus, { token: admin.token, params, body: { status: 'closed' } }),
  )
  const person = await createPerson(api)
  const late = await api.call(participantRoutes.joinV4, { token: person.token, body: params })
  expect(refusalOf(late).code).toBe('EXPERIMENT_CLOSED')
  await server.stop()
})

test('[R37,X16] a hosted server has no examples; an unverified e-mail address gives no access', async () => {
  const key = newKey('k1')
  const issuer = await startIssuer([key])
  const server = await startServer({
    env: {
      HOSTED: 'true',
      OIDC_ISSUER: issuer.issuer,
      OIDC_JWKS_URI: issuer.jwksUri,
      OIDC_AUDIENCE: audience,
      SESSION_SECRET: 'a secret of some length',
    },
  })
  const api = createApi(server.http)
  const as = (sub: string, more: Record<string, unknown> = {}) =>
    issuer.sign(issuer.claims({ sub, roles: ['researcher'], ...more }), key)
  const chief = await as('chief', { roles: ['admin'] })
  expect(succeeded(await api.call(experimentRoutes.list, { token: chief })).experiments).toEqual([])

  const owner = await as('owner')
  const body = { name: 'Hosted', states: [{ id: 's1', components: [] }] }
  const { experimentId } = succeeded(await api.call(experimentRoutes.create, { token: owner, body }))
  const shares = [{ user: 'ada@example.org', access: 'view' }]
  succeeded(await api.call(shareRoutes.replace, { token: owner, params: { experimentId }, body: { shares } }))
  const seen: Record<string, number> = {}
  for (const [name, claims] of Object.entries({
    verified: { email: 'Ada@example.org', email_verified: true },
    'not verified': { email: 'ada@example.org', email_verified: false },
    'nothing said': { email: 'ada@example.org' },
    'verified in words': { email: 'ada@example.org', email_verified: 'true' },
    'a list of addresses': { email: ['ada@example.org'], email_verified: true },
    'no address': { email: 'ada', email_verified: true },
    'what no database stores': { email: 'ada\u0000@example.org', email_verified: true },
  })) {
    const token = await as('somebody', claims)
    seen[name] = (await api.call(experimentRoutes.read, { token, params: { experimentId } })).status
  }
  const { verified, ...others } = seen
  expect(verified).toBe(200)
  expect(new Set(Object.values(others))).toEqual(new Set([404]))
  await server.stop()
  await issuer.stop()
})
