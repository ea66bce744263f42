import { type ExperimentDefinition, exportedTables } from '@atrium/contract'
import {
  createResearcher,
  describeInOneMode,
  isLongRun,
  smallestDefinition,
  succeeded,
} from '@atrium/testkit'
import { expect, test } from 'vitest'
import { acknowledged, tableIn } from '../rooms/table.ts'
import { castOf } from '../stories/cast.ts'
import { oddTexts } from './odd-texts.ts'
import { readEveryFormat } from './read-files.ts'
import { baseR, csvParse, pandas } from './round-trip/csv-readers.ts'
import { readTables } from './round-trip/typed-rows.ts'

/** The others are installed for the long run only. */
const readers = isLongRun ? [csvParse, pandas, baseR] : [csvParse]

const oddIds = ['=1+1', '"quoted", it is', "'", '統計 🦉', '\u202ertl', 'e\u0301', 'A', 'a', '-', '@x']
/** No reader could tell columns apart whose names differ in nothing else. */
const idOf = (index: number) => `${oddIds[index % oddIds.length]} ${index}`
const longestMessage = 4_000

const study: ExperimentDefinition = {
  name: '=Study, “odd”',
  description: oddTexts.slice(0, 30).join('\n'),
  states: [
    {
      id: 'talk',
      name: '=name',
      components: oddTexts.map((text, index) => ({
        id: idOf(index),
        type: 'text_input',
        kind: 'paragraph',
        label: text.slice(0, 500),
        minLength: 0,
        maxLength: 20_000,
        required: false,
        ...(index === 0 ? { saveTo: 'said' } : {}),
      })),
      end: { on: 'button' },
    },
  ],
  globalComponents: [{ id: '=chat', type: 'chat', ...{ maxLength: longestMessage } }],
  variables: { said: { scope: 'participant' } },
  completion: { codes: { SUCCESS: '=CODE' }, payment: { currency: 'EUR', base: 1 } },
  matching: { groupSize: 2 },
}

describeInOneMode('odd contents in every table and format', (world) => {
  const table = tableIn(world)
  const cast = castOf(world)
  /** Each as somebody else, because one researcher may only ask for so many exports in a minute. */
  const of = async (experimentId: string) => {
    const { token } = await createResearcher(table.api, ['admin'])
    return { http: world().any().http, token, experimentId }
  }

  test('[R47] answers, messages, labels, names and codes come back as they were', async () => {
    const experimentId = await table.open(study)
    const { sessions } = await table.seat(experimentId, 2)
    const [talks, listens] = await Promise.all(sessions.map(table.connect))
    if (!talks || !listens) throw new Error('two people sit in the room')
    for (const [index, value] of oddTexts.entries())
      await acknowledged(talks.act('submit_response', { componentId: idOf(index), value }))
    const said = oddTexts.filter((text) => text.trim() !== '' && text.length <= longestMessage)
    for (const text of said) await acknowledged(talks.act('send_message', { componentId: '=chat', text }))
    for (const socket of [talks, listens]) await acknowledged(socket.act('ready'))
    for (const socket of [talks, listens]) await socket.event('finished')
    for (const session of sessions) await table.complete(session, 'SUCCESS')
    const tables = await readTables(await of(experimentId), readers)
    const [given, missing] = [null, 'skipped'].map((reason) =>
      tables.responses
        .filter((row) => row.missing === reason)
        .map(({ component_id, value_text }) => [component_id, value_text]),
    )
    expect(given).toEqual(oddTexts.map((text, index) => [idOf(index), text]))
    expect(missing).toEqual(oddTexts.map((_text, index) => [idOf(index), null]))
    expect(tables.messages.map(({ component_id, text }) => [component_id, text])).toEqual(
      // Rooms pass messages on without what is around them.
      said.map((text) => ['=chat', text.trim()]),
    )
    const [row] = tables.participants.filter(({ alias }) => alias === 'P1')
    expect(row).toMatchObject({ completion_code: '=CODE', var_said: oddTexts[0] })
    const columns = tables.codebook.filter(({ component_id }) => component_id !== null)
    expect(columns.map(({ component_id }) => component_id)).toEqual(oddTexts.map((_, index) => idOf(index)))
    // A label without a text is none.
    expect(columns.map(({ label }) => label || '')).toEqual(oddTexts.map((text) => text.slice(0, 500)))
    expect(columns.map(({ variable }) => row?.[String(variable)])).toEqual(oddTexts)
    for (const name of Object.keys(row ?? {})) expect(name).toMatch(/^[\p{L}\p{N}_]+$/u)
    expect(tables.payments.map(({ completion_code }) => completion_code)).toEqual(['=CODE', '=CODE'])
    for (const socket of [talks, listens]) socket.close()
  })

  test('[R47] what was sent on joining comes back as it was, in the file that says who people are', async () => {
    const experimentId = await cast.open()
    for (const text of oddTexts.slice(0, 30))
      await cast.participant(experimentId, { externalId: text, [`=${text.slice(0, 20)}`]: text })
    const read = await readEveryFormat({ ...(await of(experimentId)), query: { identity: 'true' } })
    expect(read.csv.rows).toEqual(read.jsonl.rows)
    expect(read.parquet.rows).toEqual(read.jsonl.rows)
    expect(read.csv.rows.map(({ external_id }) => external_id)).toEqual(oddTexts.slice(0, 30))
  })

  test('[R47,D9] halves of surrogate pairs and NUL make no file unreadable, and are exact where they can be', async () => {
    const experimentId = await cast.open({
      states: [{ id: 's', components: [{ id: 'c', type: 'drawing' }] }],
    })
    const stored = 'a\ud800b\0c\udfff'
    const { session } = await cast.participant(experimentId)
    const event = { type: 'component_response', stateId: 's', componentId: 'c', timestamp: 1 }
    succeeded(await cast.send(session, [{ ...event, data: { value: stored } }]))
    const source = await of(experimentId)
    // DuckDB refuses a Parquet file in which a column of JSON has half a pair.
    const replaced = 'a\ufffdb\0c\ufffd'
    for (const [name, column] of [
      ['events', 'data'],
      ['responses', 'value'],
      ['participants', 's__c'],
    ] as const) {
      const read = await readEveryFormat({ ...source, table: name })
      const cells = Object.values(read).map(({ rows }) => rows[0]?.[column])
      const wanted = [replaced, stored, stored]
      expect(cells, name).toEqual(name === 'events' ? wanted.map((value) => ({ value })) : wanted)
    }
    const { jsonl, csv, parquet } = await readEveryFormat({ ...source, table: 'responses' })
    expect(jsonl.rows[0]?.value_text).toBe(stored)
    expect(csv.rows[0]?.value_text).toBe('a\ufffdb\ufffdc\ufffd')
    // UTF-8 can write NUL, and nothing that reads Parquet stops at it.
    expect(parquet.rows[0]?.value_text).toBe('a\ufffdb\0c\ufffd')
  })

  test('[R47] an experiment without participants gives files without rows, in every table and format', async () => {
    const experimentId = await table.open(study)
    const tables = await readTables(await of(experimentId), readers)
    for (const name of exportedTables) expect(tables[name], name).toEqual([])
    // Nobody has joined a revision, so that no column follows from the study.
    expect(tables.codebook.filter(({ component_id }) => component_id !== null)).toEqual([])
    const identities = await readEveryFormat({ ...(await of(experimentId)), query: { identity: 'true' } })
    expect(Object.values(identities).map(({ rows }) => rows)).toEqual([[], [], []])
  })

  test('[R47] three revisions are in every table, and each of them alone', async () => {
    const textInput = (id: string) => ({ id, type: 'text_input', minLength: 0 })
    const revisions = [
      [textInput('x'), textInput('y')],
      [textInput('x'), { id: 'z', type: 'slider' }],
      [{ id: 'x', type: 'slider' }],
    ].map((components) => smallestDefinition({ states: [{ id: 'a', components, end: { on: 'button' } }] }))
    const answers: Record<string, unknown>[] = [{ x: '=first', y: '' }, { x: 'second', z: 3 }, { x: 12 }]
    const [first = smallestDefinition(), ...later] = revisions
    const experimentId = await table.open(first)
    const play = async (given: Record<string, unknown>) => {
      const session = await table.join(experimentId)
      const socket = await table.connect({ ...session, roomId: session.roomId ?? '' })
      for (const [componentId, value] of Object.entries(given))
        await acknowledged(socket.act('submit_response', { componentId, value }))
      await acknowledged(socket.act('ready'))
      await socket.event('finished')
      socket.close()
    }
    for (const [index, given] of answers.entries()) {
      const revised = later[index - 1]
      if (revised) await table.revise(experimentId, revised)
      await play(given)
    }
    const whole = await readTables(await of(experimentId), readers)
    expect(whole.participants.map(({ revision, a__x, a__y, a__z }) => [revision, a__x, a__y, a__z])).toEqual([
      [1, '=first', '', null],
      [2, 'second', null, 3],
      [3, 12, null, null],
    ])
    expect(whole.responses.map(({ revision, value }) => [revision, value])).toEqual(
      answers.flatMap((given, index) => Object.values(given).map((value) => [index + 1, value])),
    )
    const meanings = whole.codebook.filter(({ variable }) => variable === 'a__x')
    expect(meanings.map(({ revisions: of, component_type }) => [of, component_type])).toEqual([
      [[1, 2], 'text_input'],
      [[3], 'slider'],
    ])
    for (const revision of [1, 2, 3]) {
      const alone = await readTables({ ...(await of(experimentId)), query: { revision: String(revision) } }, [
        csvParse,
      ])
      for (const name of ['events', 'responses', 'states', 'payments'] as const) {
        const rows = whole[name].filter((row) => row.revision === revision)
        expect(rows.length).toBeGreaterThan(0)
        expect(alone[name], name).toEqual(rows)
      }
      expect(alone.participants).toHaveLength(1)
    }
  })
})
