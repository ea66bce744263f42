import { join } from 'node:path'
import { limits, participantRoutes } from '@atrium/contract'
import { describeInOneMode, numberedEvent, succeeded } from '@atrium/testkit'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { queryPostgres } from '../stores/engines.ts'
import { openRawRoom } from './raw-socket.ts'
import { readRows } from './rows.ts'
import { acknowledged, tableIn } from './table.ts'

const open = {
  name: 'Open',
  states: [
    {
      id: 'talk',
      components: [
        { id: 'chat', type: 'chat' },
        { id: 'any', type: 'custom_html', html: '' },
      ],
    },
  ],
  matching: { groupSize: 2 },
}

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

describeInOneMode('[R40] What one client sends', (world) => {
  const table = tableIn(world)

  /** A room whose first member is hostile, and an unrelated room. */
  async function twoRooms() {
    const experimentId = await table.open(open)
    const [here, elsewhere] = await Promise.all([table.seat(experimentId, 2), table.seat(experimentId, 2)])
    const [hostile, partner] = here.sessions
    const [stranger] = elsewhere.sessions
    if (!hostile || !partner || !stranger) throw new Error('expected three sessions')
    const raw = await openRawRoom(table.server().http, hostile)
    const sockets = { partner: await table.connect(partner), stranger: await table.connect(stranger) }
    onTestFinished(() => {
      raw.close()
      sockets.partner.close()
      sockets.stranger.close()
    })
    return {
      experimentId,
      roomId: here.roomId,
      raw,
      ...sockets,
      /** The others are still connected and served, in both rooms. */
      async expectOthersUnaffected(): Promise<void> {
        for (const socket of Object.values(sockets)) {
          await acknowledged(socket.act('send_message', { text: 'still here' }))
          expect(socket.isConnected()).toBe(true)
        }
      },
    }
  }

  it('with a time that no column can hold is refused, and nobody else notices', async () => {
    const { raw, expectOthersUnaffected } = await twoRooms()
    const times = [
      '1e19',
      '1e308',
      '9007199254740992',
      '9223372036854775808',
      '8640000000000001',
      '-1',
      '0.5',
      '1e999',
    ]
    const refusals = times.map((time, index) =>
      raw.refusal(
        'submit_response',
        `{"actionId":"t${index}","componentId":"any","value":1,"clientTime":${time}}`,
      ),
    )
    // In the same group commit as the concurrent actions of others.
    const meanwhile = expectOthersUnaffected()
    expect(await Promise.all(refusals)).toEqual(times.map(() => 'VALIDATION_FAILED'))
    await meanwhile
    const latest = '{"actionId":"latest","componentId":"any","value":1,"clientTime":8640000000000000}'
    expect(await raw.refusal('submit_response', latest)).toBeUndefined()
    await expectOthersUnaffected()
  })

  it('[RM61] with 20,000 levels of nesting is refused in any position', async () => {
    const { raw, expectOthersUnaffected, roomId } = await twoRooms()
    const before = await readRows(world(), `select seq from room_actions where room_id = '${roomId}'`)
    for (const [name, payload] of [
      ['send_message', `{"actionId":"1","text":"hi","more":${nested(20_000)}}`],
      ['submit_response', `{"actionId":"2","componentId":"any","value":${nested(20_000)}}`],
      ['submit_response', `{"actionId":"3","componentId":"any","value":${nested(limits.jsonDepth)}}`],
      ['ready', `{"actionId":${nested(20_000)}}`],
      ['leave', nested(20_000)],
    ] as const)
      expect(await raw.refusal(name, payload)).toBe('VALIDATION_FAILED')
    expect(await readRows(world(), `select seq from room_actions where room_id = '${roomId}'`)).toEqual(
      before,
    )
    const deepest = `{"actionId":"4","componentId":"any","value":${nested(limits.jsonDepth - 1)}}`
    expect(await raw.refusal('submit_response', deepest)).toBeUndefined()
    await expectOthersUnaffected()
  })

  it('[RM61] with undocumented properties is refused and not stored', async () => {
    const { raw, expectOthersUnaffected, roomId } = await twoRooms()
    const pad = `"pad":"${'x'.repeat(100_000)}"`
    for (const [name, payload] of [
      ['submit_response', `{"actionId":"1","componentId":"any","value":1,${pad}}`],
      ['send_message', `{"actionId":"2","text":"hi",${pad}}`],
      ['ready', `{"actionId":"3",${pad}}`],
      ['leave', `{"actionId":"4",${pad}}`],
      ['leave', '{"actionId":"5","participantId":"somebody else"}'],
    ] as const)
      expect(await raw.refusal(name, payload)).toBe('VALIDATION_FAILED')
    const [size] = await readRows(
      world(),
      `select max(length(action)) as most from room_actions where room_id = '${roomId}'`,
    )
    expect(Number(size?.most)).toBeLessThan(10_000)
    await expectOthersUnaffected()
  })

  it('[RM61] as a value is stored unchanged or refused', async () => {
    const { raw, expectOthersUnaffected, experimentId } = await twoRooms()
    const respond = (id: string, value: string) =>
      raw.refusal('submit_response', `{"actionId":"${id}","componentId":"any","value":${value}}`)
    for (const [index, value] of [
      '1e999',
      '{"a":[-1e999]}',
      '{"__proto__":{"a":1}}',
      '[{"b":{"__proto__":null}}]',
      `"${'x'.repeat(limits.responseBytes)}"`,
    ].entries())
      expect(await respond(`no${index}`, value), value.slice(0, 40)).toBe('VALIDATION_FAILED')
    const odd = '{"nul \\u0000":"\\u0000 \\ud800","constructor":null,"large":1e308,"small":-0.0,"":[]}'
    expect(await respond('odd', odd)).toBeUndefined()
    const recorded = (await table.exported(experimentId)).find(({ data }) => data.actionId === 'odd')
    expect(JSON.stringify(recorded?.data.value)).toBe(JSON.stringify(JSON.parse(odd)))
    await expectOthersUnaffected()
  })

  it('as an id or a text with NUL or a lone surrogate is refused', async () => {
    const { raw, expectOthersUnaffected } = await twoRooms()
    for (const bad of ['\\u0000', 'a\\ud800', '\\udc00b']) {
      const fields = {
        actionId: '"a"',
        componentId: '"any"',
        value: '1',
        stateId: '"talk"',
        text: '"hi"',
        reason: '"r"',
      }
      const without = (names: (keyof typeof fields)[], wrong: keyof typeof fields) =>
        `{${names.map((name) => `"${name}":${name === wrong ? `"${bad}"` : fields[name]}`).join()}}`
      for (const wrong of ['actionId', 'componentId', 'stateId'] as const) {
        const payload = without(['actionId', 'componentId', 'value', 'stateId'], wrong)
        expect(await raw.refusal('submit_response', payload), payload).toBe('VALIDATION_FAILED')
      }
      expect(await raw.refusal('send_message', without(['actionId', 'text'], 'text'))).toBe(
        'VALIDATION_FAILED',
      )
      expect(await raw.refusal('leave', without(['actionId', 'reason'], 'reason'))).toBe('VALIDATION_FAILED')
    }
    await expectOthersUnaffected()
  })

  it('as a session in a handshake does not affect handshakes of other sessions', async () => {
    const { hostileSession, others } = await (async () => {
      const experimentId = await table.open({ ...open, matching: { groupSize: 1 } })
      const sessions = await Promise.all(Array.from({ length: 6 }, () => table.join(experimentId)))
      return { hostileSession: sessions[0], others: sessions.slice(1) }
    })()
    if (!hostileSession) throw new Error('somebody takes part')
    const odd = ['sess_\u0000', `sess_${'\ud800'.repeat(43)}`, 'x'.repeat(10_000), '']
    const outcomes = await Promise.all([
      ...odd.map((sessionId) => table.refusal({ ...hostileSession, sessionId })),
      ...others.map((session) => table.refusal(session)),
    ])
    expect(outcomes).toEqual([...odd.map(() => 'SESSION_INVALID'), ...others.map(() => 'connected')])
  })

  describe('and the store rejects', () => {
    /** Makes the database reject rows that contain this text, as it would reject a value that passed our checks. */
    async function refuseRows(tableName: 'room_actions' | 'events', column: string, text: string) {
      const { databaseUrl, servers } = world()
      if (databaseUrl !== undefined)
        await queryPostgres(
          databaseUrl,
          `create function refuse_${tableName}() returns trigger language plpgsql as $$
           begin
             if position('${text}' in new.${column}) > 0 then raise exception 'not this one'; end if;
             return new;
           end $$;
           create trigger refuse_${tableName} before insert on ${tableName}
           for each row execute function refuse_${tableName}()`,
        )
      else {
        const database = new Sqlite(join(servers[0]?.dataDir ?? '', 'atrium.db'), { fileMustExist: true })
        database.exec(`create trigger refuse_${tableName} before insert on ${tableName}
          when instr(new.${column}, '${text}') > 0 begin select raise(abort, 'not this one'); end`)
        database.close()
      }
    }

    it('[RM57] fails alone: its room, all others and every connection stay up', async () => {
      const { raw, partner, stranger, expectOthersUnaffected, roomId } = await twoRooms()
      await refuseRows('room_actions', 'action', 'poison')
      const say = (text: string, index: number) =>
        raw.refusal('send_message', `{"actionId":"${text}${index}","text":"${text}"}`)
      const mixed = Array.from({ length: 10 }, (_, index) => say(index % 3 === 0 ? 'poison' : 'fine', index))
      const others = Array.from({ length: 10 }, (_, index) => [
        acknowledged(partner.act('send_message', { text: `partner ${index}` })),
        acknowledged(stranger.act('send_message', { text: `stranger ${index}` })),
      ]).flat()
      expect(await Promise.all(mixed)).toEqual(
        mixed.map((_, index) => (index % 3 === 0 ? 'INTERNAL' : undefined)),
      )
      await Promise.all(others)
      await expectOthersUnaffected()
      const rows = await readRows(
        world(),
        `select seq, action_id from room_actions where room_id = '${roomId}' order by seq`,
      )
      expect(rows.map(({ seq }) => Number(seq))).toEqual(rows.map((_, index) => index + 1))
      const said = rows.flatMap(({ action_id }) => (String(action_id).startsWith('fine') ? [action_id] : []))
      expect(said).toEqual(['fine1', 'fine2', 'fine4', 'fine5', 'fine7', 'fine8'])
    })

    it('[E5] fails alone: batches of events from others in the same group are stored', async () => {
      await refuseRows('events', 'data', 'poison')
      const experimentId = await table.open({ ...open, matching: { groupSize: 1 } })
      const sessions = await Promise.all(Array.from({ length: 12 }, () => table.join(experimentId)))
      const statuses = await Promise.all(
        sessions.map(async ({ sessionId }, index) => {
          const data = { value: index % 4 === 0 ? 'poison' : 'fine' }
          const body = { events: [numberedEvent(index, { data })] }
          return (await table.api.call(participantRoutes.eventsV4, { session: { sessionId }, body })).status
        }),
      )
      expect(statuses).toEqual(sessions.map((_, index) => (index % 4 === 0 ? 500 : 200)))
      succeeded(
        await table.api.call(participantRoutes.eventsV4, {
          session: { sessionId: sessions[0]?.sessionId ?? '' },
          body: { events: [numberedEvent(1)] },
        }),
      )
    })
  })
})
