import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import {
  credentialRoutes,
  experimentRoutes,
  identityRoutes,
  keyRoutes,
  operationsRoutes,
  participantRoutes,
  shareRoutes,
} from '@atrium/contract'
import {
  codeOf,
  createApi,
  describeInBothModes,
  linesOf,
  numberedEvent,
  smallestDefinition,
  startServer,
  succeeded,
} from '@atrium/testkit'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { aCredential } from '../agents/credential-stage.ts'
import { issuePathsOf } from '../stories/refusal.ts'
import { audience, newKey, startIssuer } from './local-issuer.ts'
import { requestText, sendRaw } from './raw-http.ts'

const key = newKey('hosted')
const issuer = await startIssuer([key])
afterAll(() => issuer.stop())

const hosted = {
  HOSTED: 'true',
  OIDC_ISSUER: issuer.issuer,
  OIDC_AUDIENCE: audience,
  SESSION_SECRET: 'the session secret of a hosted study',
}
const tokenOf = (sub: string, more: Record<string, unknown> = {}) =>
  issuer.sign(issuer.claims({ sub, ...more }), key)
const researcherToken = (sub = 'ada') => tokenOf(sub, { roles: ['researcher'] })

/** Nobody learns from a refusal how the server is built or where it is. */
const internals = /node_modules|\.ts\b|\bat \S+ \(|sqlite|postgres|redis|\/(?:home|root|tmp|var|usr)\//i

const nowhere = [
  ...['POST /dev/identity/token', 'GET /dev/identity/jwks', 'PUT /dev/identity/token'],
  ...['OPTIONS /dev/identity/token', 'POST //dev/identity/token', 'POST /dev//identity/token'],
  ...['POST /DEV/identity/token', 'POST /dev/identity/token/', 'POST /dev/identity/token;x=1'],
  ...['POST /dev/identity/%74oken', 'POST /%64ev/identity/token', 'POST /dev%2Fidentity%2Ftoken'],
  ...['POST /api/../dev/identity/token', 'POST /./dev/identity/token', 'POST \\dev\\identity\\token'],
  ...['POST http://atrium.test/dev/identity/token', 'POST /api/v3/dev/identity/token'],
  ...['POST /dev/identity/token?x=/api/', 'POST /api/dev/identity/token', 'GET /metrics', 'GET //metrics'],
]

describeInBothModes(
  'a hosted installation',
  (world) => {
    const api = createApi(() => world().any().http)

    test('[R6] [R51] a researcher and participants go from a new study to its data, with accounts and without', async () => {
      const token = await researcherToken()
      const body = smallestDefinition({ completion: { codes: { SUCCESS: 'DONE-7' } } })
      const { experimentId } = succeeded(await api.call(experimentRoutes.create, { token, body }))
      const params = { experimentId }
      succeeded(
        await api.call(experimentRoutes.changeStatus, { token, params, body: { status: 'recruiting' } }),
      )
      const guest = succeeded(
        await api.call(identityRoutes.guest, { body: { experimentId, externalId: 'pid-1' } }),
      ).idToken
      for (const person of [guest, await tokenOf('ben')]) {
        const session = succeeded(
          await api.call(participantRoutes.joinV4, { token: person, body: { experimentId } }),
        ).data
        const events = [numberedEvent(1), numberedEvent(2)]
        succeeded(await api.call(participantRoutes.eventsV4, { session, body: { events } }))
        const completed = await api.call(participantRoutes.completeV4, {
          session,
          body: { completionCode: 'SUCCESS', finalState: 's2', summary: { totalEvents: 2, duration: 1_000 } },
        })
        expect(succeeded(completed).data.completionCode).toBe('DONE-7')
        // Neither the participant's token nor the session opens what is the researcher's.
        expect((await api.call(experimentRoutes.read, { token: person, params })).status).toBe(403)
      }
      const exported = await api.call(experimentRoutes.export, { token, params, query: { format: 'jsonl' } })
      succeeded(exported)
      const values = linesOf(exported.text).flatMap((line) => {
        const { type, data } = line as { type: string; data: { value?: number } }
        return type === 'component_response' ? [data.value] : []
      })
      expect(values.toSorted()).toEqual([1, 1, 2, 2])
      const stranger = await researcherToken('eve')
      expect((await api.call(experimentRoutes.read, { token: stranger, params })).status).toBe(404)
    })

    test('[R6] no spelling of an address leads to the development issuer or to the metrics', async () => {
      const body = JSON.stringify({ sub: 'chief', roles: ['admin'] })
      const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`]
      for (const line of nowhere) {
        const { status, text } = await sendRaw(world().any().http, requestText(line, headers, body))
        expect([400, 404], line).toContain(status)
        expect(text, line).not.toMatch(/idToken|"keys"|# HELP/)
        expect(text, line).not.toMatch(internals)
      }
      const head = await fetch(`${world().any().http}/dev/identity/jwks`, { method: 'HEAD' })
      expect(head.status).toBe(404)
    })

    test('[R6] neither the sign-in settings nor the reference know the development issuer', async () => {
      expect(succeeded(await api.call(identityRoutes.signIn))).toEqual({
        kind: 'provider',
        issuer: issuer.issuer,
        clientId: audience,
      })
      const { text } = await api.call(operationsRoutes.openApi)
      expect(text).not.toContain('/dev/identity')
      expect(
        (await api.call(experimentRoutes.list, { token: await researcherToken('new') })).body,
      ).toMatchObject({ experiments: [] })
    })

    test('without INTERNAL_API_KEY nobody reports about videos, whatever key they send', async () => {
      for (const sent of ['', 'undefined', 'null', '0'.repeat(32)]) {
        const answer = await fetch(`${world().any().http}/api/internal/videos/vid_1/hls-complete`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-internal-key': sent },
          body: '{}',
        })
        expect(answer.status).toBe(401)
      }
    })

    test('[R35] credentials lead to https only, and a test of one knocks at nothing inside', async () => {
      let knocks = 0
      const inside = createServer((socket) => {
        knocks++
        socket.destroy()
      }).listen(0, '127.0.0.1')
      onTestFinished(() => void inside.close())
      await once(inside, 'listening')
      const { port } = inside.address() as AddressInfo
      const token = await researcherToken('tester')
      const create = (baseUrl: string) =>
        api.call(credentialRoutes.create, { token, body: aCredential({ baseUrl }) })
      for (const baseUrl of [`http://127.0.0.1:${port}/v1`, 'http://models.example.org/v1'])
        expect(issuePathsOf(await create(baseUrl)), baseUrl).toEqual(['/baseUrl'])
      for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', 'localhost']) {
        const made = await create(`https://${host}:${port}/v1`)
        if (made.status === 400) continue
        const { credentialId } = succeeded(made)
        const tested = await api.call(credentialRoutes.test, { token, params: { credentialId } })
        expect(tested.text, host).not.toMatch(/ECONN|certificate|listening/)
      }
      expect(knocks).toBe(0)
    })
  },
  { env: hosted },
)

test('[K11] what was signed while the development issuer ran opens nothing once the installation is hosted', async () => {
  const server = await startServer()
  onTestFinished(async () => void (await server.stop()))
  const api = createApi(() => server.http)
  const token = await api.token('mallory', ['researcher', 'admin'], 'ada@example.org')
  const made = await api.call(keyRoutes.create, { token, body: { name: 'Later', access: 'write' } })
  const { key: apiKey } = succeeded(made)
  expect((await api.call(experimentRoutes.list, { token: apiKey })).status).toBe(200)
  await server.end()
  await server.restart(hosted)

  const owner = await researcherToken()
  const { experimentId } = succeeded(
    await api.call(experimentRoutes.create, { token: owner, body: smallestDefinition() }),
  )
  const params = { experimentId }
  const shares = [{ user: 'ada@example.org', access: 'edit' }]
  succeeded(await api.call(shareRoutes.replace, { token: owner, params, body: { shares } }))
  for (const kept of [token, apiKey]) {
    const answer = await api.call(experimentRoutes.read, { token: kept, params })
    expect([answer.status, codeOf(answer)]).toEqual([401, 'UNAUTHENTICATED'])
  }
})
