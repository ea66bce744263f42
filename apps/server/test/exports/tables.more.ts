import { declaredColumns, type ExportTable, roundMoney, snakeName } from '@atrium/contract'
import { describeInBothModes } from '@atrium/testkit'
import { beforeAll, expect, test } from 'vitest'
import { readRows } from '../rooms/rows.ts'
import { tableIn } from '../rooms/table.ts'
import { contributions, oddMessage, playPublicGoods, publicGoodsWithChat } from './played-study.ts'
import { readEveryFormat } from './read-files.ts'

describeInBothModes('tables of a group study', (world) => {
  const table = tableIn(world)
  let [experimentId, played]: [string, Awaited<ReturnType<typeof playPublicGoods>>[]] = ['', []]
  beforeAll(async () => {
    experimentId = await table.open(publicGoodsWithChat())
    played = [await playPublicGoods(table, experimentId), await playPublicGoods(table, experimentId)]
  })

  /** Checks that all formats say the same before it gives one of them. */
  async function rowsOf(of: ExportTable, query: Record<string, string> = {}) {
    const { token } = await table.researcher()
    const read = await readEveryFormat({ http: table.server().http, token, experimentId, table: of, query })
    expect(read.csv.rows).toEqual(read.jsonl.rows)
    expect(read.parquet.rows).toEqual(read.jsonl.rows)
    const declared = declaredColumns(of).map(({ name }) => snakeName(name))
    expect(Object.keys(read.parquet.types).slice(0, declared.length)).toEqual(declared)
    return read.csv.rows
  }

  const stored = async (type: string) =>
    await readRows(world(), `select data, state_id, room_seq, round from events where type = '${type}'`)

  test('[R47,D1] events are the same in every format, and as many as are stored', async () => {
    const rows = await rowsOf('events')
    const [counted] = await readRows(world(), 'select count(*) as n from events')
    expect(rows).toHaveLength(Number(counted?.n))
    const lines = await table.exported(experimentId)
    expect(rows.map(({ participant_id, seq, data }) => [participant_id, seq, data])).toEqual(
      lines.map(({ participantId, seq, data }) => [participantId, seq, data]),
    )
  })

  test('[R47] the payoffs follow from the file of participants alone, and are what the room paid', async () => {
    const rows = await rowsOf('participants')
    expect(rows).toHaveLength(8)
    for (const [roomId, group] of Map.groupBy(rows, ({ room_id }) => room_id)) {
      const points = group.map(() => 0)
      contributions.forEach((_, index) => {
        const given = group.map((row) => Number(row[`contribute__contribution__r${index + 1}`]))
        const pot = given.reduce((sum, one) => sum + one, 0)
        const factor = group[0]?.condition === 'high' ? 2.4 : 1.6
        given.forEach((one, seat) => {
          points[seat] = (points[seat] ?? 0) + 20 - one + (pot * factor) / 4
        })
      })
      const { seats } = played.find((one) => one.roomId === roomId) ?? { seats: [] }
      group.forEach((row, index) => {
        const seat = seats.find(({ participantId }) => participantId === row.participant_id)
        expect(row.payoff_points).toBe(seat?.variables.points)
        expect(Number(row.payoff_points)).toBeCloseTo(points[index] ?? Number.NaN, 9)
        expect(row.var_points).toBe(row.payoff_points)
      })
    }
  })

  test('[R47,D15] payments are what the room paid, with the base and the currency that the definition names', async () => {
    const rows = await rowsOf('payments')
    const answers = await rowsOf('responses')
    expect(rows).toHaveLength(8)
    for (const row of rows) {
      const seats = played.find((one) => one.roomId === row.room_id)?.seats ?? []
      const seat = seats.find(({ participantId }) => participantId === row.participant_id)
      const factor = row.condition === 'high' ? 2.4 : 1.6
      const given = answers.filter(
        (one) => one.room_id === row.room_id && one.component_id === 'contribution',
      )
      const own = given.filter((one) => one.participant_id === row.participant_id)
      const sum = (some: typeof given) =>
        some.reduce((all, { value_number }) => all + Number(value_number), 0)
      const points = 20 * contributions.length - sum(own) + (sum(given) * factor) / 4
      expect(row).toMatchObject({ is_paid: true, base: 2.5, currency: 'EUR', outcome: 'SUCCESS' })
      expect(seat?.variables.points).toBeCloseTo(points, 9)
      expect(row.bonus).toBe(roundMoney(points, 'EUR'))
      expect(row.amount).toBe(roundMoney(2.5 + points, 'EUR'))
      expect(Number(row.amount_unrounded)).toBeCloseTo(2.5 + points, 9)
      expect([row.total, row.picked_rounds]).toEqual([row.amount, null])
    }
  })

  test('[R47,D10] a participant’s row has their answers by round, group, code and times', async () => {
    const rows = await rowsOf('participants')
    for (const { roomId, sessions } of played)
      for (const [seat, { participantId, alias }] of sessions.entries()) {
        const row = rows.find(({ participant_id }) => participant_id === participantId)
        const others = sessions.map((one) => one.participantId).filter((id) => id !== participantId)
        expect(row).toMatchObject({ room_id: roomId, alias, outcome: 'SUCCESS', completion_code: 'PGG-DONE' })
        expect(row?.group_members).toEqual(others.toSorted())
        contributions.forEach((given, index) => {
          expect(row?.[`contribute__contribution__r${index + 1}`]).toBe(given[seat])
        })
        expect(row?.rules__check).toEqual({ answers: { share: 'all four' } })
        // The last round's, the participant's own and the room's.
        expect(row).toMatchObject({ var_given: contributions.at(-1)?.[seat], var_pot: 39 })
        expect(row?.duration_ms).toBe(Number(row?.completed_at) - Number(row?.joined_at))
      }
    const [counted] = await readRows(world(), 'select count(*) as n from events')
    expect(rows.reduce((sum, { event_count }) => sum + Number(event_count), 0)).toBe(Number(counted?.n))
  })

  test('[R47] each stored answer is a row of responses, each message one of messages', async () => {
    const answers = await rowsOf('responses')
    const inDatabase = (await stored('component_response')).map((row) => ({
      stateId: row.state_id,
      round: row.round,
      value: JSON.parse(String(row.data)).value,
    }))
    const sorted = (values: unknown[]) => values.map((value) => JSON.stringify(value)).toSorted()
    expect(
      sorted(answers.map((row) => ({ stateId: row.state_id, round: row.round, value: row.value }))),
    ).toEqual(sorted(inDatabase))
    const given = answers.filter(({ component_id }) => component_id === 'contribution')
    expect(given.map(({ value_number }) => value_number)).toEqual(given.map(({ value }) => value))
    const messages = await rowsOf('messages')
    expect(messages.map(({ text, alias }) => [text, alias])).toEqual(played.map(() => [oddMessage, 'P1']))
  })

  test('[R47] states are left when the next one is entered', async () => {
    const rows = await rowsOf('states')
    expect(rows).toHaveLength((await stored('state_transition')).length)
    for (const visits of Map.groupBy(rows, ({ participant_id }) => participant_id).values()) {
      expect(visits.map(({ state_id, round }) => [state_id, round])).toEqual([
        ['rules', null],
        ...contributions.flatMap((_, index) => [
          ['contribute', index + 1],
          ['feedback', index + 1],
        ]),
        ['debrief', null],
      ])
      for (const [index, visit] of visits.entries()) {
        const next = visits[index + 1]
        expect(visit.duration_ms).toBe(Number(visit.left_at) - Number(visit.entered_at))
        expect(visit.next_state_id).toBe(next?.state_id ?? null)
        if (next) expect(visit.left_at).toBe(next.entered_at)
        expect(visit.occurrence).toBe(1)
      }
    }
  })

  test('[R47] no agent was asked anything, which is a table too', async () => {
    expect(await rowsOf('agent_turns')).toEqual([])
  })

  test('[R47,D3] filters select participants with all that they did', async () => {
    const people = await rowsOf('participants')
    const latest = Math.max(...people.map(({ joined_at }) => Number(joined_at)))
    const from = new Date(latest).toISOString()
    const late = people.filter(({ joined_at }) => joined_at === latest)
    expect(await rowsOf('participants', { from })).toEqual(late)
    expect(await rowsOf('participants', { to: from })).toEqual(people.slice(0, 8 - late.length))
    expect(await rowsOf('participants', { to: '2020-01-01' })).toEqual([])
    expect(await rowsOf('participants', { status: 'completed' })).toHaveLength(8)
    expect(await rowsOf('events', { status: 'open' })).toEqual([])
    expect(await rowsOf('states', { revision: '2' })).toEqual([])
    const whole = await rowsOf('events', { revision: '1' })
    expect(whole).toEqual(await rowsOf('events'))
    expect(await rowsOf('events', { from, status: 'completed' })).toEqual(
      whole.filter((event) => late.some(({ participant_id }) => participant_id === event.participant_id)),
    )
  })
})
