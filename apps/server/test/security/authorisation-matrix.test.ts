import { randomInt } from 'node:crypto'
import {
  accessSubjectOf,
  allRoutes,
  experimentRoutes,
  mediaRoutes,
  participantRoutes,
  type RouteSpec,
  subjectCodes,
} from '@atrium/contract'
import { type ApiResponse, codeOf, createApi, describeInOneMode, numberedEvent } from '@atrium/testkit'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Credentials, createPeople } from './authorisation-people.ts'
import {
  actionNames,
  columns,
  everythingIn,
  nameOf,
  type Row,
  readingIdentities,
  rows,
  unmatchedRows,
  type Who,
} from './authorisation-rows.ts'
import { shakeHands } from './shake-hands.ts'

test('[R37,X11] every route and socket event of the contract has a row, and there are no other rows', () => {
  expect(unmatchedRows(everythingIn(allRoutes))).toEqual({ withoutRow: [], aboutNothing: [] })
})

describeInOneMode(
  '[R37] who may do what',
  (world) => {
    const api = createApi(() => world().any().http)
    let stage: Awaited<ReturnType<typeof createPeople>>
    beforeAll(async () => {
      stage = await createPeople(api, world())
    })

    const rowOf = (name: string): Row => {
      const found = rows[name]
      if (!found) throw new Error(`${name} has no row`)
      return found
    }

    describe.each(Object.keys(actionNames) as (keyof typeof actionNames)[])('%s', (namespace) => {
      test.each(actionNames[namespace])('%s', async (action) => {
        const row = rowOf(`${namespace} ${action}`)
        const seen: Record<string, string> = {}
        for (const who of columns) seen[who] = await act(namespace, action, who)
        expect(seen).toEqual(row)
      })
    })

    test('/console', async () => {
      const seen: Record<string, string> = {}
      for (const who of columns) {
        const { code, socket } = await shakeHands(world().servers[0]?.http ?? '', '/console', {
          auth: { idToken: stage.people[who].token ?? '' },
          headers: { 'x-forwarded-for': anyAddress() },
        })
        seen[who] = code === 'connected' ? 'let in' : code
        socket.close()
      }
      expect(seen).toEqual(rowOf('/console → video:updated'))
    })

    async function act(namespace: keyof typeof actionNames, action: string, who: Who): Promise<string> {
      const isWaiting = namespace === '/waiting'
      const { session } = (isWaiting && stage.waiting[who]) || stage.people[who]
      const roomId = stage.people[who === 'guest' ? 'guest' : 'participant'].roomId ?? ''
      const query = isWaiting ? { experimentId: stage.waitingExperimentId } : { roomId }
      const { code, socket } = await shakeHands(world().servers[0]?.http ?? '', namespace, {
        ...(session && { session }),
        query,
        headers: { 'x-forwarded-for': anyAddress() },
      })
      if (code !== 'connected') return code
      // An invalid payload: the refusal shows that the sender was let in, and nothing changes.
      const ack: unknown = await socket.timeout(60_000).emitWithAck(action, 'nothing')
      socket.close()
      expect(ack).toMatchObject({ ok: false, error: { code: 'VALIDATION_FAILED' } })
      return 'let in'
    }

    test.each(allRoutes.map((route) => [nameOf(route), route] as const))('%s', async (name, route) => {
      const row = rowOf(name)
      const seen: Record<string, string> = {}
      for (const who of columns) seen[who] = await verdictOn(route, stage.people[who])
      expect(seen).toEqual(row)
    })

    test('GET /api/experiments/:experimentId/export?identity=true', async () => {
      const seen: Record<string, string> = {}
      for (const who of columns)
        seen[who] = await verdictOn(experimentRoutes.export, stage.people[who], { identity: 'true' })
      expect(seen).toEqual(readingIdentities)
    })

    async function verdictOn(
      route: RouteSpec,
      who: Credentials,
      query: Record<string, string> = {},
    ): Promise<string> {
      if (route.path.includes(':tableId')) stage.params.tableId = await stage.newTableId()
      if (route.path.includes(':keyId')) stage.params.keyId = await stage.newKeyId()
      const answer = await send(route, who, stage.params, query)
      expect(answer.status, answer.text).not.toBe(429)
      if (answer.status === 401 || answer.status === 403) return String(codeOf(answer))
      const codes = { ...subjectCodes, ...otherCodes }
      const others = Object.keys(otherCodes) as (keyof typeof otherCodes)[]
      const subject = accessSubjectOf(route) ?? others.find((name) => route.path.includes(`:${name}`))
      if (!subject || codeOf(answer) !== codes[subject]) return 'let in'
      const name = stage.params[subject] ?? ''
      const unknown = unusedId(name)
      const other = await send(route, who, { ...stage.params, [subject]: unknown }, query)
      expect(other.text.replaceAll(unknown, name)).toBe(answer.text)
      expect(comparable(other)).toEqual(comparable(answer))
      return 'hidden'
    }

    /** Access to the experiment is checked before the body is read, so most bodies need not be valid. */
    const bodies: Record<string, unknown> = {
      [participantRoutes.eventsV4.path]: { events: [numberedEvent(1)] },
      [participantRoutes.completeV4.path]: { completionCode: 'ABANDONED' },
      [mediaRoutes.rename.path]: { name: 'face.png' },
    }

    const send = async (
      route: RouteSpec,
      { token, session }: Credentials,
      params: Record<string, string>,
      query: Record<string, string>,
    ): Promise<ApiResponse> =>
      await api.call(route, {
        ...(token && { token }),
        ...(session && { session }),
        params,
        query: route.auth === 'session' ? { experimentId: params.experimentId ?? '' } : query,
        ...(route.body ? { body: bodies[route.path] ?? {} } : {}),
        // Failures are limited by address.
        headers: { 'x-forwarded-for': anyAddress() },
      })
  },
  { env: { TRUST_PROXY: 'true' } },
)

/** What belongs to a researcher, not to an experiment. */
const otherCodes = {
  videoId: 'VIDEO_NOT_FOUND',
  mediaId: 'MEDIA_NOT_FOUND',
  credentialId: 'CREDENTIAL_NOT_FOUND',
  keyId: 'KEY_NOT_FOUND',
  tableId: 'TABLE_NOT_FOUND',
} as const

const anyAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`

/** An unused id of the same form and length. */
const unusedId = (name: string): string => {
  const [prefix = '', ...rest] = name.split('_')
  return `${prefix}_${'A'.repeat(rest.join('_').length)}`
}

/** Everything except what differs between any two requests. */
function comparable({ status, headers }: ApiResponse) {
  const volatile = new Set(['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
  return { status, headers: [...headers].filter(([name]) => !volatile.has(name)) }
}
