import { Agent, request as httpRequest } from 'node:http'
import { credentialRoutes, identityRoutes, keyRoutes, tableRoutes } from '@atrium/contract'
import {
  type ApiResponse,
  codeOf,
  createApi,
  createPerson,
  createResearcher,
  describeInOneMode,
  isLongRun,
  smallestDefinition,
  succeeded,
  undocumented,
} from '@atrium/testkit'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { seeded } from '../seed.ts'
import { credential } from './http-bodies.ts'
import { internalKey, type Shot, type Stage, shots } from './http-shots.ts'

/** Set TEST_SEED for other requests, FUZZ_RUNS for more of them. */
const runs = Number(process.env.FUZZ_RUNS ?? (isLongRun ? 1_000 : 400))

describeInOneMode(
  'random and hostile requests',
  (world) => {
    let stage: Stage

    beforeAll(async () => {
      const api = createApi(() => world().any().http)
      const researcher = await createResearcher(api)
      const experimentIds = [
        await researcher.openExperiment(),
        await researcher.openExperiment(smallestDefinition({ matching: { groupSize: 3 }, capacity: 3 })),
      ]
      const people = await Promise.all(Array.from({ length: 6 }, () => createPerson(api)))
      const joined = await Promise.all(people.map((person, at) => person.join(experimentIds[at % 2] ?? '')))
      const guests = await Promise.all(
        experimentIds.map((id) => api.call(identityRoutes.guest, { body: { experimentId: id } })),
      )
      const { token } = researcher
      const credentials = await Promise.all(
        [1, 2].map(() => api.call(credentialRoutes.create, { token, body: credential })),
      )
      const keys = await Promise.all(
        (['read', 'write'] as const).map((access) =>
          api.call(keyRoutes.create, { token, body: { name: 'Fuzz', access } }),
        ),
      )
      const tables = await Promise.all(
        [1, 2].map(() => api.call(tableRoutes.create, { token, body: { name: 'Fuzz', text: 'word\nred' } })),
      )
      stage = {
        experimentIds,
        keys: keys.map(succeeded),
        tableIds: tables.map((answer) => succeeded(answer).tableId),
        credentialIds: credentials.map((answer) => succeeded(answer).credentialId),
        sessionIds: joined.map(({ sessionId }) => sessionId),
        sessionTokens: joined.map(({ sessionToken }) => sessionToken),
        participants: [
          ...people.map(({ token }) => token),
          ...guests.map((answer) => succeeded(answer).idToken),
        ],
        researcher: researcher.token,
        admin: await api.token('fuzz-admin', ['admin']),
      }
    })

    test(`every route answers only what it documents (TEST_SEED=${seeded.seed})`, async () => {
      const reached = new Set<string>()
      await fc.assert(
        fc.asyncProperty(shots(stage), async (shot) => {
          const answer = await fire(world().any().http, shot)
          reached.add(`${answer.status}`)
          expect(faultOf(shot, answer), `${shot.route.method} ${shot.path} → ${answer.text}`).toBeUndefined()
        }),
        { ...seeded, numRuns: runs, endOnFailure: true },
      )
      // A fuzzer whose requests never pass authentication proves nothing.
      expect([...reached]).toEqual(expect.arrayContaining(['200', '400', '401', '403', '404']))
      for (const { http } of world().servers) {
        expect((await fetch(`${http}/health/live`)).status).toBe(200)
        const { requests } = (await (await fetch(`${http}/api/health/metrics`)).json()) as {
          requests: { serverErrors: number }
        }
        expect(requests.serverErrors).toBe(0)
      }
    })
  },
  // Each request claims its own address; otherwise the limit on failures would refuse nearly all of them.
  { env: { TRUST_PROXY: 'true', INTERNAL_API_KEY: internalKey } },
)

function faultOf({ route, isBent }: Shot, answer: ApiResponse): string | undefined {
  if (answer.status >= 500) return `a defect: ${answer.status}`
  if (isBent && (codeOf(answer) === 'NOT_FOUND' || codeOf(answer) === 'VALIDATION_FAILED')) return undefined
  return undocumented(route, answer)
}

/** With node:http, because fetch refuses to send many hostile requests. */
function fire(address: string, { route, path, headers, body }: Shot): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false })
    const request = httpRequest(address + path, { method: route.method, headers, agent }, (response) => {
      const chunks: Buffer[] = []
      const answered = () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = response.headers['content-type']?.startsWith('application/json')
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(response.headers as Record<string, string>),
          text,
          body: isJson ? JSON.parse(text) : undefined,
        })
      }
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        // A stream of events need not end.
        if (!response.headers['content-type']?.startsWith('text/event-stream') || !chunk.includes('\n\n'))
          return
        answered()
        request.destroy()
      })
      response.on('end', answered)
    })
    request.on('error', reject)
    request.end(body)
  })
}
