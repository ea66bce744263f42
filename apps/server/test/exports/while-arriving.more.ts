import { describeInOneMode, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf } from '../stories/cast.ts'
import { byPlace, storedEvents } from './round-trip/expect-database.ts'
import { readTables } from './round-trip/typed-rows.ts'

/** Long enough that an export is read in several pages while more arrive. */
const padding = 'ü'.repeat(30_000)
const noted = (number: number) => ({
  type: 'component_response',
  stateId: 's',
  componentId: 'note',
  timestamp: 1_700_000_000_000 + number,
  data: { value: `${number} ${padding}` },
})
const study = {
  states: [
    {
      id: 's',
      components: [{ id: 'note', type: 'text_input', ...{ kind: 'paragraph', maxLength: 20_000 } }],
    },
  ],
}

interface Line {
  sessionId: string
  seq: number
  data: unknown
}

describeInOneMode('exports while events arrive', (world) => {
  const cast = castOf(world)

  async function openStudy() {
    const experimentId = await cast.open(study)
    const people = await Promise.all([1, 2, 3, 4].map(async () => await cast.participant(experimentId)))
    const sessions = people.map(({ session }) => session)
    for (const session of sessions)
      for (let batch = 0; batch < 3; batch++)
        succeeded(
          await cast.send(
            session,
            [1, 2, 3, 4, 5, 6, 7, 8].map((one) => noted(batch * 8 + one)),
          ),
        )
    return { experimentId, sessions }
  }

  /** One after another sends on until `meanwhile` is over. */
  async function whileArriving(
    sessions: Awaited<ReturnType<typeof openStudy>>['sessions'],
    meanwhile: () => Promise<void>,
  ): Promise<void> {
    let isOver = false
    const send = async () => {
      for (let number = 100; !isOver; number++)
        for (const session of sessions) succeeded(await cast.send(session, [noted(number)]))
    }
    const ended = async () => {
      try {
        await meanwhile()
      } finally {
        isOver = true
      }
    }
    await Promise.all([send(), ended()])
  }

  async function ask(experimentId: string, query: Record<string, string>) {
    const { token } = await cast.researcher()
    const path = `${world().any().http}/api/experiments/${experimentId}/export?${new URLSearchParams(query)}`
    const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` } })
    expect(answer.status).toBe(200)
    return { text: await answer.text(), next: answer.headers.get('x-next-cursor') }
  }

  const linesIn = (text: string): Line[] =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))

  /** No hole, nothing twice, nothing changed: of every session, its first events as they are stored, and at least `before`. */
  async function expectBeginnings(experimentId: string, lines: Line[], before: Map<string, number>) {
    const stored = new Map(
      (await storedEvents(world(), experimentId)).map((row) => [`${row.session_id} ${row.seq}`, row.data]),
    )
    const exported = Map.groupBy(lines, ({ sessionId }) => sessionId)
    expect(new Set(exported.keys())).toEqual(new Set(before.keys()))
    for (const [sessionId, ofSession] of exported) {
      expect(ofSession.map(({ seq }) => seq)).toEqual(ofSession.map((_, index) => index + 1))
      expect(ofSession.length).toBeGreaterThanOrEqual(before.get(sessionId) ?? Infinity)
      for (const { seq, data } of ofSession) expect(data).toEqual(stored.get(`${sessionId} ${seq}`))
    }
    return stored.size
  }

  async function countBySession(experimentId: string): Promise<Map<string, number>> {
    const rows = await storedEvents(world(), experimentId)
    const sessions = Map.groupBy(rows, ({ session_id }) => String(session_id))
    return new Map([...sessions].map(([sessionId, ofSession]) => [sessionId, ofSession.length]))
  }

  const sumOf = (counts: Map<string, number>) => [...counts.values()].reduce((sum, one) => sum + one, 0)

  test('[I7] a whole file has what was stored before it was asked for, and of the rest what it met', async () => {
    const { experimentId, sessions } = await openStudy()
    await whileArriving(sessions, async () => {
      const before = await countBySession(experimentId)
      const { text } = await ask(experimentId, { table: 'events' })
      const stored = await expectBeginnings(experimentId, linesIn(text), before)
      // More has arrived meanwhile.
      expect(stored).toBeGreaterThan(sumOf(before))
    })
  })

  test('[I7,R49] so have pages that somebody else continues by the cursor, and at rest every way gives the database', async () => {
    const { experimentId, sessions } = await openStudy()
    await whileArriving(sessions, async () => {
      const before = await countBySession(experimentId)
      let [text, pages] = ['', 0]
      for (let cursor: string | null = 'start'; cursor !== null; pages++) {
        const page = await ask(experimentId, { table: 'events', cursor })
        text += page.text
        cursor = page.next
      }
      expect(pages).toBeGreaterThan(1)
      const stored = await expectBeginnings(experimentId, linesIn(text), before)
      expect(stored).toBeGreaterThan(sumOf(before))
    })
    const stored = await storedEvents(world(), experimentId)
    const { token } = await cast.researcher()
    const tables = await readTables({ http: world().any().http, token, experimentId }, [])
    expect(byPlace(tables.events)).toEqual(byPlace(stored))
    expect(tables.responses).toHaveLength(stored.length)
    expect(tables.participants.map(({ event_count }) => event_count).toSorted()).toEqual(
      [...(await countBySession(experimentId)).values()].toSorted(),
    )
    let text = ''
    for (let cursor: string | null = 'start'; cursor !== null; ) {
      const page = await ask(experimentId, { table: 'events', format: 'csv', cursor })
      text += page.text
      cursor = page.next
    }
    expect(text === (await ask(experimentId, { table: 'events', format: 'csv' })).text).toBe(true)
  })
})
