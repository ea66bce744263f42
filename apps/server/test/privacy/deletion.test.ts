import { randomUUID } from 'node:crypto'
import {
  auditRoutes,
  type ErasureScope,
  experimentRoutes,
  participantRoutes,
  privacyRoutes,
} from '@atrium/contract'
import {
  codeOf,
  createApi,
  createPerson,
  describeInOneMode,
  openWaitingSocket,
  smallestDefinition,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { expect, test } from 'vitest'
import { readRows } from '../rooms/rows.ts'
import { tableIn } from '../rooms/table.ts'
import { tracesOf } from './traces.ts'

const browser = `CanaryBrowser ${randomUUID()}`
const study = smallestDefinition({
  name: 'Two talk',
  states: [
    {
      id: 'talk',
      components: [{ id: 'words', type: 'text_response', saveTo: 'said' }],
      end: { on: 'button' },
    },
    { id: 'after', components: [], end: { on: 'button' } },
  ],
  globalComponents: [{ id: 'chat', type: 'chat' }],
  variables: { said: '', rounds: 0 },
  matching: { groupSize: 2 },
  pacing: 'room',
  dropout: { policy: 'continue' },
  completion: { redirectUrl: 'https://example.org/?id={{metadata.PROLIFIC_PID}}' },
})

describeInOneMode('deleting a participant', (world) => {
  const table = tableIn(world)
  const api = table.api
  const canaryApi = createApi(() => table.server().http, browser)
  const ofPerson = async (experimentId: string, participantId: string) => ({
    token: (await table.researcher()).token,
    params: { experimentId, participantId },
  })
  const erase = async (experimentId: string, participantId: string, scope: ErasureScope) =>
    await api.call(privacyRoutes.erase, {
      ...(await ofPerson(experimentId, participantId)),
      query: { scope },
    })
  const exportOf = async (experimentId: string, participantId: string) =>
    await api.call(privacyRoutes.export, await ofPerson(experimentId, participantId))

  /** Joins with an external id and sends events, enough for several pages of the database. */
  async function joinWithCanaries(experimentId: string, events = 1, through = canaryApi) {
    const canary = { externalId: `pid-${randomUUID()}`, words: `words-${randomUUID()}` }
    const person = await createPerson(through)
    const session = await person.join(experimentId, { metadata: { PROLIFIC_PID: canary.externalId } })
    for (let sent = 0; sent < events; sent += 50)
      succeeded(
        await through.call(participantRoutes.eventsV4, {
          session,
          headers: { 'idempotency-key': `${canary.words}-${sent}` },
          body: {
            events: Array.from({ length: Math.min(50, events - sent) }, (_, index) => ({
              type: 'note',
              eventId: `${canary.words}-${sent + index}`,
              timestamp: sent + index,
              data: { text: `${canary.words} ${'x'.repeat((index * 37) % 900)}` },
            })),
          },
        }),
      )
    return { canary, person, session }
  }

  test('[PR1] everything known of one person is in one document, and in no other export', async () => {
    const experimentId = await table.open(smallestDefinition())
    const { canary, session } = await joinWithCanaries(experimentId, 250)
    const other = await joinWithCanaries(experimentId)
    const answer = await exportOf(experimentId, session.participantId)
    const known = JSON.parse(answer.text)
    expect(known).toMatchObject({
      participant: { participantId: session.participantId, experimentId, completedAt: null },
      identity: { subject: expect.any(String), attempt: 1 },
      sessions: [{ userAgent: browser, metadata: { PROLIFIC_PID: canary.externalId }, status: 'active' }],
      agentTurns: [],
    })
    expect(known.events).toHaveLength(250)
    expect(known.events[249]).toMatchObject({ type: 'note', origin: 'client', timestamp: 249 })
    expect(answer.text).not.toContain(other.canary.words)
    expect(answer.text).not.toContain(session.sessionId)
    const exported = await api.call(experimentRoutes.export, {
      token: (await table.researcher()).token,
      params: { experimentId },
    })
    expect(exported.text).toContain(canary.words)
    for (const secret of [canary.externalId, browser]) expect(exported.text).not.toContain(secret)
  })

  test('[PR2] deleting the identity keeps the data, ends the session and is safe to repeat', async () => {
    const experimentId = await table.open(
      smallestDefinition({
        completion: { redirectUrl: 'https://example.org/?id={{metadata.PROLIFIC_PID}}' },
      }),
    )
    const { canary, person, session } = await joinWithCanaries(experimentId)
    const { participantId } = session
    expect(await tracesOf(world(), canary.externalId)).not.toEqual([])
    for (const _again of [1, 2])
      expect(succeeded(await erase(experimentId, participantId, 'identity'))).toEqual({
        participantId,
        scope: 'identity',
      })
    expect(await tracesOf(world(), canary.externalId)).toEqual([])
    const exported = await table.exported(experimentId)
    expect(exported.map((line) => line.participantId)).toEqual([participantId])
    expect(JSON.parse((await exportOf(experimentId, participantId)).text)).toMatchObject({
      identity: null,
      sessions: [{ ipAddress: '', userAgent: '', metadata: {}, status: 'expired' }],
    })
    const late = await canaryApi.call(participantRoutes.eventsV4, {
      session,
      body: { events: [{ type: 'late', timestamp: 1, data: {} }] },
    })
    expect(codeOf(late)).toBe('SESSION_INVALID')
    expect((await person.join(experimentId)).participantId).not.toBe(participantId)
  })

  test('[PR3,PR11] deleting everything leaves nothing anywhere, and nothing comes back', async () => {
    const experimentId = await table.open(smallestDefinition({ capacity: 1 }))
    const { canary, session } = await joinWithCanaries(experimentId, 400)
    const { participantId } = session
    for (const planted of Object.values(canary)) expect(await tracesOf(world(), planted)).not.toEqual([])
    for (const _again of [1, 2])
      expect(succeeded(await erase(experimentId, participantId, 'all'))).toEqual({
        participantId,
        scope: 'all',
      })
    const late = await canaryApi.call(participantRoutes.eventsV4, {
      session,
      body: { events: [{ type: 'late', timestamp: 1, data: { text: canary.words } }] },
    })
    expect(codeOf(late)).toBe('SESSION_INVALID')
    for (const planted of [...Object.values(canary), participantId, session.sessionId])
      expect(await tracesOf(world(), planted)).toEqual([])
    expect(codeOf(await exportOf(experimentId, participantId))).toBe('NOT_FOUND')
    expect(codeOf(await erase(experimentId, 'part_nobody', 'all'))).toBe('NOT_FOUND')
    // Their place is free again.
    await joinWithCanaries(experimentId)
    for (const planted of Object.values(canary))
      for (const { stdout, stderr } of world().servers) expect(stdout() + stderr()).not.toContain(planted)
  })

  test('[PR4] the audit says that somebody was deleted, not who', async () => {
    const experimentId = await table.open(smallestDefinition())
    const { session } = await joinWithCanaries(experimentId)
    await exportOf(experimentId, session.participantId)
    succeeded(await erase(experimentId, session.participantId, 'identity'))
    succeeded(await erase(experimentId, session.participantId, 'all'))
    const audited = async () =>
      await readRows(
        world(),
        `select action, details from audit_log where subject = '${experimentId}' and action like '%participant%' order by entry_no`,
      )
    const [exported, ...deleted] = await audited()
    expect(exported?.action).toBe('participant_exported')
    expect(deleted).toEqual([
      { action: 'participant_identity_deleted', details: '{"requestedBy":"researcher"}' },
      { action: 'participant_deleted', details: '{"requestedBy":"researcher"}' },
    ])
    expect(JSON.stringify(await audited())).not.toContain(session.participantId)
  })

  test('[PR5] somebody who is deleted from a room in play is gone, and the others go on', async () => {
    const experimentId = await table.open(study)
    const { roomId, sessions } = await table.seat(experimentId, 2)
    const [gone, stays] = sessions
    if (!gone || !stays) throw new Error('two people sit in the room')
    const [theirs, others] = await Promise.all([table.connect(gone), table.connect(stays)])
    const [words, reply] = [`answer ${randomUUID()}`, `reply ${randomUUID()}`]
    expect(await theirs.act('submit_response', { componentId: 'words', value: words })).toMatchObject({
      ok: true,
    })
    expect(await theirs.act('send_message', { componentId: 'chat', text: words })).toMatchObject({ ok: true })
    expect(await others.act('send_message', { componentId: 'chat', text: reply })).toMatchObject({ ok: true })
    expect(await tracesOf(world(), words)).not.toEqual([])
    succeeded(await erase(experimentId, gone.participantId, 'all'))
    await waitUntil(() => !theirs.isConnected() || 'they are still connected')
    // Not their participant id: the audit says whom the researcher seated by hand.
    for (const planted of [words, gone.sessionId]) expect(await tracesOf(world(), planted)).toEqual([])
    expect(await table.refusal(gone)).toBe('SESSION_INVALID')
    // Whoever stays is told to reconnect, finds what they said, and can go on alone.
    others.close()
    const again = await table.connect(stays)
    expect(again.snapshot().messages.map(({ text }) => text)).toEqual([reply])
    expect(again.snapshot().variables).toMatchObject({ said: '' })
    expect(await again.act('ready')).toMatchObject({ ok: true })
    await again.event('state_entered', ({ state }) => state.id === 'after')
    expect(await again.act('send_message', { componentId: 'chat', text: 'on I go' })).toMatchObject({
      ok: true,
    })
    const lines = await table.exported(experimentId)
    expect(new Set(lines.map((line) => line.participantId))).toEqual(new Set([stays.participantId]))
    expect(lines.filter(({ type }) => type === 'chat_message')).toHaveLength(2)
    expect(await tracesOf(world(), words)).toEqual([])
    await table.endRoom(roomId)
    again.close()
  })

  test('[PR5] [RM193] what their study read of what they joined with goes with them, and with nobody else', async () => {
    const states = [{ id: 'hello', instructions: 'From {{metadata.town}}', components: [] }]
    const experimentId = await table.open({ ...study, states, globalComponents: [], variables: {} })
    const towns = ['A', 'B'].map((name) => `${name}town${randomUUID().replaceAll('-', '')}`)
    const sessions = await Promise.all(
      towns.map(async (town) => {
        const person = await createPerson(api)
        return await person.join(experimentId, { metadata: { town, PROLIFIC_PID: `pid-${town}` } })
      }),
    )
    const ids = sessions.map(({ participantId }) => participantId)
    const roomId = await table.seatByHand(experimentId, ids)
    const [gone, stays] = sessions
    if (!gone || !stays) throw new Error('two people sit in the room')
    const others = await table.connect({ ...stays, roomId })
    expect(others.snapshot().state?.instructions).toBe(`From ${towns[1]}`)
    const logged = await readRows(world(), `select action from room_actions where room_id = '${roomId}'`)
    for (const town of towns) expect(JSON.stringify(logged)).toContain(town)
    expect(JSON.stringify(logged)).not.toContain('pid-')
    succeeded(await erase(experimentId, gone.participantId, 'all'))
    expect(await tracesOf(world(), towns[0] ?? '')).toEqual([])
    others.close()
    const again = await table.connect({ ...stays, roomId })
    expect(again.snapshot().state?.instructions).toBe(`From ${towns[1]}`)
    again.close()
    await table.endRoom(roomId)
  })

  test('[PR6] somebody who waits leaves the queue', async () => {
    const experimentId = await table.open(study)
    const { canary, session } = await joinWithCanaries(experimentId, 1, api)
    const socket = await openWaitingSocket(table.server().http, session)
    await waitUntil(() => socket.received.waiting_status.length > 0 || 'nobody waits yet')
    succeeded(await erase(experimentId, session.participantId, 'all'))
    await waitUntil(async () => {
      const traces = await tracesOf(world(), session.participantId)
      return traces.length === 0 || traces.join()
    })
    expect(await tracesOf(world(), canary.externalId)).toEqual([])
    socket.close()
  })

  test('[PR8] participants delete themselves where the experiment allows it, also after completing', async () => {
    const withdraw = (session: { sessionId: string }) =>
      canaryApi.call(participantRoutes.withdrawV4, { session })
    const closed = await joinWithCanaries(await table.open(smallestDefinition()))
    expect(codeOf(await withdraw(closed.session))).toBe('ACTION_REFUSED')
    const forgetful = await table.open(smallestDefinition({ withdrawal: 'identity' }))
    const unknown = await joinWithCanaries(forgetful)
    expect(succeeded(await withdraw(unknown.session)).data).toEqual({ deleted: 'identity' })
    expect(await tracesOf(world(), unknown.canary.externalId)).toEqual([])
    expect(await tracesOf(world(), unknown.canary.words)).not.toEqual([])
    const experimentId = await table.open(smallestDefinition({ withdrawal: 'all' }))
    const { canary, session } = await joinWithCanaries(experimentId)
    const body = { completionCode: 'SUCCESS' }
    succeeded(await canaryApi.call(participantRoutes.completeV4, { session, body }))
    expect(succeeded(await withdraw(session)).data).toEqual({ deleted: 'all' })
    for (const planted of Object.values(canary)) expect(await tracesOf(world(), planted)).toEqual([])
    expect(codeOf(await withdraw(session))).toBe('SESSION_INVALID')
    const audited = await readRows(
      world(),
      `select actor, details from audit_log where subject = '${experimentId}' and action = 'participant_deleted'`,
    )
    expect(audited).toEqual([{ actor: 'participant', details: '{"requestedBy":"participant"}' }])
  })

  test('[PR8] whoever comes back after the end can still withdraw, on the device that they took part with', async () => {
    const experimentId = await table.open(smallestDefinition({ withdrawal: 'all' }))
    const person = await createPerson(canaryApi)
    const session = await person.join(experimentId)
    const body = { completionCode: 'SUCCESS' }
    succeeded(await canaryApi.call(participantRoutes.completeV4, { session, body }))
    const joinAgain = (headers: Record<string, string> = {}) =>
      canaryApi.call(participantRoutes.joinV4, { token: person.token, body: { experimentId }, headers })
    // Their session is refused in another browser, so nothing is offered there.
    const elsewhere = await joinAgain({ 'user-agent': 'another browser' })
    expect([codeOf(elsewhere), elsewhere.text.includes(session.sessionId)]).toEqual([
      'EXPERIMENT_CLOSED',
      false,
    ])
    const { error } = (await joinAgain()).body as unknown as {
      error: { details: { withdrawal: { deletes: string; sessionId: string; sessionToken: string } } }
    }
    const { deletes, sessionId, sessionToken } = error.details.withdrawal
    expect([deletes, sessionId]).toEqual(['all', session.sessionId])
    const again = { ...session, sessionId, sessionToken }
    expect(succeeded(await canaryApi.call(participantRoutes.withdrawV4, { session: again })).data).toEqual({
      deleted: 'all',
    })
  })

  test('[PR9] one person has ids in two experiments that nothing in their data connects', async () => {
    const [one, other] = [await table.open(smallestDefinition()), await table.open(smallestDefinition())]
    const person = await createPerson(canaryApi)
    const sessions = [await person.join(one), await person.join(other)]
    for (const session of sessions)
      succeeded(
        await canaryApi.call(participantRoutes.eventsV4, {
          session,
          body: { events: [{ type: 'note', timestamp: 1, data: {} }] },
        }),
      )
    const [first, second] = [await table.exported(one), await table.exported(other)]
    const idsIn = (lines: typeof first) =>
      lines.flatMap((line) => [line.participantId, line.sessionId, line.roomId])
    expect(idsIn(first).filter((id) => idsIn(second).includes(id))).toEqual([])
  })

  test('[PR7] administrators read the audit log page by page, newest first; nobody else does', async () => {
    const admin = await api.token('auditor', ['admin'])
    const page = async (query: Record<string, string>) =>
      succeeded(await api.call(auditRoutes.list, { token: admin, query }))
    const experimentId = await table.open(smallestDefinition())
    const newest = await page({ limit: '2' })
    expect(newest.entries.map(({ subject }) => subject)).toEqual([experimentId, experimentId])
    const rest = await page({ limit: '500', before: newest.next ?? '' })
    const numbers = [...newest.entries, ...rest.entries].map(({ entry }) => entry)
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => b - a))
    const [row] = await readRows(world(), 'select count(*) as n from audit_log')
    expect(numbers).toHaveLength(Number(row?.n))
    expect(rest.next).toBeNull()
    const researcher = await api.token('somebody', ['researcher'])
    expect(codeOf(await api.call(auditRoutes.list, { token: researcher }))).toBe('FORBIDDEN')
  })
})
