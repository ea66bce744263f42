import type { ExportTable } from '@atrium/contract'
import { describeInBothModes } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf } from '../stories/cast.ts'

const long = 'x'.repeat(60_000)
const answers = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    type: 'component_response',
    timestamp: 1_700_000_000_000,
    stateId: 'one',
    componentId: 'note',
    data: { value: `${from + index} ${long}` },
  }))
const study = {
  states: [{ id: 'one', components: [{ id: 'note', type: 'text_input', kind: 'paragraph' }] }],
}

describeInBothModes('a table page by page', (world) => {
  const cast = castOf(world)

  async function ask(experimentId: string, query: Record<string, string>) {
    const { token } = await cast.researcher()
    const path = `${world().any().http}/api/experiments/${experimentId}/export?${new URLSearchParams(query)}`
    const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` } })
    // Not `text()`, which drops a byte order mark.
    const text = Buffer.from(await answer.arrayBuffer()).toString()
    return { status: answer.status, text, next: answer.headers.get('x-next-cursor') }
  }

  async function pagesOf(experimentId: string, query: Record<string, string>, between = async () => {}) {
    const pages: string[] = []
    const cursors: string[] = []
    for (let cursor: string | null = 'start'; cursor !== null; ) {
      const { status, text, next } = await ask(experimentId, { ...query, cursor })
      expect(status, text.slice(0, 500)).toBe(200)
      pages.push(text)
      if (next !== null) cursors.push(next)
      if (pages.length === 1) await between()
      cursor = next
    }
    return { pages, cursors }
  }

  async function openStudy(people: number) {
    const experimentId = await cast.open(study as never)
    const sessions = []
    for (let one = 0; one < people; one++) {
      const { session } = await cast.participant(experimentId)
      for (let batch = 0; batch < 3; batch++) await cast.send(session, answers(batch * 8, 8))
      sessions.push(session)
    }
    return { experimentId, sessions }
  }

  test('[R49,D17] the pages put together are the file, in every table and format that has pages', async () => {
    const { experimentId, sessions } = await openStudy(3)
    const counts: Partial<Record<ExportTable, number>> = {}
    for (const table of [
      'events',
      'participants',
      'responses',
      'trials',
      'messages',
      'states',
      'payments',
      'assignments',
      'playback',
      'devices',
      'edges',
    ] as const)
      for (const format of ['jsonl', 'csv']) {
        const whole = await ask(experimentId, { table, format })
        const { pages, cursors } = await pagesOf(experimentId, { table, format })
        expect(pages.join('') === whole.text, `${table} ${format}`).toBe(true)
        counts[table] = pages.length
        // R59: a session's id is a credential.
        const read = cursors.map((cursor) => Buffer.from(cursor, 'base64url').toString()).join()
        for (const { sessionId } of sessions) expect(read).not.toContain(sessionId)
      }
    expect(counts.events).toBeGreaterThan(1)
    expect(counts.participants).toBeGreaterThan(1)
    expect(counts.responses).toBeGreaterThan(1)
  })

  test('[R49,D17] while the study goes on, no row is lost and none comes twice', async () => {
    const { experimentId, sessions } = await openStudy(3)
    const keysIn = (text: string) =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
        .map(({ sessionId, seq }) => `${sessionId} ${seq}`)
    const before = keysIn((await ask(experimentId, { table: 'events' })).text)
    const { pages } = await pagesOf(experimentId, { table: 'events' }, async () => {
      for (const session of sessions) await cast.send(session, answers(100, 2))
      await cast.participant(experimentId)
    })
    expect(pages.length).toBeGreaterThan(1)
    const keys = keysIn(pages.join(''))
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).toEqual(expect.arrayContaining(before))
  })

  test('[D45] with `bom`, CSV begins with a byte order mark, of pages the first; other formats refuse it', async () => {
    const { experimentId } = await openStudy(2)
    const query = { table: 'responses', format: 'csv' }
    const { text } = await ask(experimentId, query)
    const withMark = { ...query, bom: 'true' }
    expect((await ask(experimentId, withMark)).text).toBe(`\ufeff${text}`)
    const { pages } = await pagesOf(experimentId, withMark)
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.join('')).toBe(`\ufeff${text}`)
    for (const format of ['jsonl', 'parquet'])
      expect((await ask(experimentId, { ...withMark, format })).status).toBe(400)
  })

  test('[R49] what is no cursor, or one of another table, is refused', async () => {
    const { experimentId } = await openStudy(2)
    const { next } = await ask(experimentId, { table: 'participants', cursor: 'start' })
    expect(next).not.toBeNull()
    for (const query of [
      { table: 'events', cursor: next ?? '' },
      { cursor: 'nonsense' },
      { cursor: Buffer.from('{"table":"events"}').toString('base64url') },
      { cursor: 'start', format: 'parquet' },
      { cursor: 'start', format: 'psych-ds' },
      { cursor: 'start', identity: 'true' },
      { cursor: 'start', table: 'codebook' },
    ] as Record<string, string>[])
      expect((await ask(experimentId, query)).status, JSON.stringify(query)).toBe(400)
  })

  test('[R49,D18] people who join a newer revision between two pages are left out', async () => {
    const { experimentId } = await openStudy(2)
    const query = { table: 'participants', format: 'csv' }
    const first = await ask(experimentId, { ...query, cursor: 'start' })
    await cast.revise(experimentId, {
      name: 'Study',
      states: [{ id: 'two', components: [{ id: 'later', type: 'text_input' }] }],
    })
    await cast.participant(experimentId)
    // People of the newer revision are left out, as in a file that was begun before they joined.
    const second = await ask(experimentId, { ...query, cursor: first.next ?? '' })
    expect(second.status).toBe(200)
    expect(first.text).not.toContain('two__later')
    expect(`${first.text}${second.text}`.split('\r\n')).toHaveLength(4)
  })
})
