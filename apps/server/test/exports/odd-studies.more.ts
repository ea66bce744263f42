import { declaredColumns, type ExportTable, snakeName } from '@atrium/contract'
import { describeInBothModes, smallestDefinition, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { pseudonymOf } from '../../src/kernel/ids.ts'
import { castOf } from '../stories/cast.ts'
import { oddTexts } from './odd-texts.ts'
import { download, readEveryFormat } from './read-files.ts'

const paragraph = { type: 'text_input', kind: 'paragraph', minLength: 0 }
const question = (id: string, components: string[]) => ({
  id,
  components: components.map((componentId) => ({ id: componentId, ...paragraph })),
})
const answer = (stateId: string, componentId: string, value: unknown) => ({
  type: 'component_response',
  stateId,
  componentId,
  timestamp: 1_700_000_000_000,
  data: { value },
})

describeInBothModes('tables of odd studies', (world) => {
  const cast = castOf(world)

  async function read(experimentId: string, table: ExportTable, query: Record<string, string> = {}) {
    const { token } = await cast.researcher()
    const read = await readEveryFormat({ http: world().any().http, token, experimentId, table, query })
    expect(read.csv.rows).toEqual(read.jsonl.rows)
    expect(read.parquet.rows).toEqual(read.jsonl.rows)
    return read.parquet
  }

  test('[R47] texts come back as they were, whatever is in them', async () => {
    const experimentId = await cast.open({ states: [question('s', ['text'])] })
    for (const text of oddTexts) {
      const { session } = await cast.participant(experimentId)
      succeeded(await cast.send(session, [answer('s', 'text', text)]))
    }
    const { rows: responses } = await read(experimentId, 'responses')
    expect(responses.map(({ value_text }) => value_text)).toEqual(oddTexts)
    const { rows: people, types } = await read(experimentId, 'participants')
    expect(types.s__text).toBe('VARCHAR')
    expect(people.map(({ s__text }) => s__text)).toEqual(oddTexts)
    const { rows: events } = await read(experimentId, 'events')
    expect(events.map(({ data }) => data)).toEqual(oddTexts.map((value) => ({ value })))
  })

  test('[R47] fields of hundreds of kilobytes, and types that the platform does not know', async () => {
    const experimentId = await cast.open({
      states: [{ id: 's', components: [{ id: 'c', type: 'drawing' }] }],
    })
    const drawings = [{ strokes: ['"=\n'.repeat(100_000)] }, '=text', -1, null, true]
    for (const drawing of drawings) {
      const { session } = await cast.participant(experimentId)
      succeeded(await cast.send(session, [answer('s', 'c', drawing)]))
    }
    const { rows, types } = await read(experimentId, 'participants')
    expect(types.s__c).toBe('JSON')
    expect(rows.map(({ s__c }) => s__c)).toEqual(drawings)
    expect((await read(experimentId, 'responses')).rows.map(({ value }) => value)).toEqual(drawings)
  })

  test('[R47,D8] no text cell of a CSV file begins as a formula', async () => {
    const experimentId = await cast.open({ states: [question('s', ['text'])] })
    const { session } = await cast.participant(experimentId)
    succeeded(
      await cast.send(
        session,
        oddTexts.map((text) => answer('s', 'text', text)),
      ),
    )
    const { token } = await cast.researcher()
    const of = { http: world().any().http, token, experimentId, table: 'responses' } as const
    const text = (await download(of, 'csv')).toString()
    expect(text).toContain(`"'=1+1"`)
    expect(text).not.toMatch(/(^|,)"[=+\-@\t\r\n＝＋－＠]/m)
  })

  test('[R47] what UTF-8 cannot write is replaced in text cells, and exact as JSON', async () => {
    const experimentId = await cast.open({ states: [question('s', ['text'])] })
    const { session } = await cast.participant(experimentId)
    succeeded(await cast.send(session, [answer('s', 'text', 'a\ud800b\0c')]))
    const { token } = await cast.researcher()
    const of = { http: world().any().http, token, experimentId, table: 'responses' } as const
    const csv = (await download(of, 'csv')).toString()
    expect(csv).toContain('"a\ufffdb\ufffdc"')
    expect(csv).toContain(String.raw`"""a\ud800b\u0000c"""`)
    const [line] = (await download(of, 'jsonl')).toString().split('\n')
    expect(JSON.parse(line ?? '')).toMatchObject({ value: 'a\ud800b\0c', valueText: 'a\ud800b\0c' })
  })

  test('[R59] a session’s id is in no table, even where a page has written it into an answer', async () => {
    const experimentId = await cast.open({ states: [question('s', ['text'])] })
    const { session } = await cast.participant(experimentId)
    const sent = { ...answer('s', 'text', `I am ${session.sessionId}`), eventId: session.sessionId }
    succeeded(await cast.send(session, [sent]))
    const pseudonym = pseudonymOf(session.sessionId)
    const { rows: people } = await read(experimentId, 'participants')
    expect(people).toMatchObject([{ session_ids: [pseudonym], s__text: `I am ${pseudonym}` }])
    const { rows: events } = await read(experimentId, 'events')
    expect(events).toMatchObject([
      { session_id: pseudonym, event_id: pseudonym, data: { value: `I am ${pseudonym}` } },
    ])
    const { rows: responses } = await read(experimentId, 'responses')
    expect(responses).toMatchObject([{ session_id: pseudonym, value_text: `I am ${pseudonym}` }])
  })

  test('[R47,D1] an experiment without participants gives columns and no rows', async () => {
    const experimentId = await cast.open()
    for (const table of [
      'events',
      'participants',
      'responses',
      'messages',
      'states',
      'agent_turns',
    ] as const) {
      const { rows, types } = await read(experimentId, table)
      expect(rows).toEqual([])
      expect(Object.keys(types)).toEqual(declaredColumns(table).map(({ name }) => snakeName(name)))
    }
  })

  test('[R47,D4,D6] three revisions share the columns of what they have in common', async () => {
    const experimentId = await cast.open({ states: [question('a', ['x', 'y'])] })
    const revisions = [
      { states: [question('a', ['x']), question('b', ['x'])], variables: { score: 1 } },
      { states: [{ id: 'a', components: [{ id: 'x', type: 'slider' }] }] },
    ]
    const send = async (events: unknown[]) => {
      const { session } = await cast.participant(experimentId)
      succeeded(await cast.send(session, events))
    }
    await send([answer('a', 'x', 'first'), answer('a', 'y', 'why')])
    await cast.revise(experimentId, smallestDefinition(revisions[0]))
    await send([answer('a', 'x', 'second'), answer('b', 'x', 'other'), answer('b', 'x', 'last')])
    await cast.revise(experimentId, smallestDefinition(revisions[1]))
    await send([answer('a', 'x', 12), answer('a', 'x', 'not a number')])
    const { rows, types } = await read(experimentId, 'participants')
    expect(Object.keys(types).slice(declaredColumns('participants').length)).toEqual([
      'var_score',
      'a__x',
      'a__y',
      'b__x',
    ])
    // Text in two revisions and a number in the third.
    expect(types).toMatchObject({ a__x: 'JSON', a__y: 'VARCHAR', b__x: 'VARCHAR' })
    expect(rows.map(({ revision, a__x, a__y, b__x }) => [revision, a__x, a__y, b__x])).toEqual([
      [1, 'first', 'why', null],
      [2, 'second', null, 'last'],
      [3, 12, null, null],
    ])
    const third = await read(experimentId, 'participants', { revision: '3' })
    expect(third.types).toMatchObject({ a__x: 'DOUBLE' })
    expect(third.rows.map(({ a__x }) => a__x)).toEqual([12])
  })

  test('[R47,D5] people who sent nothing have a row; people who came back have one', async () => {
    const experimentId = await cast.open({ states: [question('a', ['x'])] })
    const { session, join } = await cast.participant(experimentId)
    succeeded(await cast.send(session, [answer('a', 'x', 'before')]))
    const again = await join(experimentId)
    succeeded(await cast.send(again, [answer('a', 'x', 'after')]))
    await cast.participant(experimentId)
    const { rows } = await read(experimentId, 'participants')
    expect(rows.map(({ a__x, event_count }) => [a__x, event_count])).toEqual([
      ['after', 2],
      [null, 0],
    ])
  })
})
