import { type ExperimentDefinition, paradataKinds, privacyRoutes } from '@atrium/contract'
import { describeInBothModes, smallestDefinition, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { expectToContinue } from '../exports/continued.ts'
import { readEveryFormat } from '../exports/read-files.ts'
import { tracesOf } from '../privacy/traces.ts'
import { acknowledged, refused, tableIn } from '../rooms/table.ts'
import { castOf } from './cast.ts'
import { issuePathsOf } from './refusal.ts'

const paradata = {
  focusLostCount: 2,
  focusLostMs: 4_000.5,
  pasteCount: 1,
  pastedCharacters: 987_654_321,
  keystrokes: 40,
  deletions: 3,
  keyIntervalMedianMs: 120.25,
  longestPauseMs: 900,
  networkDelayMs: 30.5,
}
const device = {
  deviceClass: 'phone',
  browser: 'safari',
  system: 'ios',
  viewportWidth: 390,
  viewportHeight: 844,
  pixelRatio: 3,
  inputKind: 'touch',
  deviceLanguage: 'en-GB',
  timeZone: 'Pacific/Pitcairn',
  networkDelayMs: 31,
} as const

const snake = (fields: object) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`),
      value,
    ]),
  )
const nullsFor = (fields: object) => Object.fromEntries(Object.keys(fields).map((name) => [name, null]))

const study = (more: Partial<ExperimentDefinition> = {}): ExperimentDefinition =>
  smallestDefinition({
    states: [
      {
        id: 'ask',
        components: [
          { id: 'rate', type: 'slider' },
          { id: 'why', type: 'text_input', required: false },
        ],
      },
    ],
    consent: { text: 'We measure what you see here.' },
    ...more,
  })

describeInBothModes('paradata', (world) => {
  const cast = castOf(world)
  const table = tableIn(world)
  const agreed = () => ({ type: 'consent_given', timestamp: Date.now(), data: {} })
  const reported = (data: object) => ({ type: 'device_report', timestamp: Date.now(), data })
  const answered = (data: object) => ({
    ...{ type: 'component_response', stateId: 'ask', componentId: 'rate', timestamp: Date.now() },
    data: { value: 5, ...data },
  })

  /** Somebody agrees, reports their device, and answers once over HTTP and once in the room, leaving a question out. */
  async function play(experimentId: string) {
    const session = await table.join(experimentId)
    const early = await cast.send(session, [reported(device)])
    expect(early.status).toBe(403)
    succeeded(await cast.send(session, [agreed(), reported(device), answered({ paradata })]))
    const room = await table.connect(session)
    await acknowledged(
      room.act('submit_response', {
        componentId: 'rate',
        value: 6,
        paradata: { ...paradata, keystrokes: 41 },
      }),
    )
    await acknowledged(room.act('ready', { stateId: 'ask' }))
    room.close()
    return session
  }

  const of = async (experimentId: string) => ({
    ...{ http: table.server().http, token: (await table.researcher()).token, experimentId },
  })

  /** The same in every format. */
  async function rowsOf(experimentId: string, name: 'responses' | 'devices' | 'codebook') {
    const read = await readEveryFormat({ ...(await of(experimentId)), table: name })
    expect(read.csv.rows).toEqual(read.jsonl.rows)
    expect(read.parquet.rows).toEqual(read.jsonl.rows)
    return read.csv.rows
  }

  test('[R93,E42,RM190] a study that collects nothing stores nothing of what pages send', async () => {
    const experimentId = await table.open(study())
    const session = await play(experimentId)
    const answers = await rowsOf(experimentId, 'responses')
    expect(answers.map(({ value, missing }) => [value, missing])).toEqual([
      [5, null],
      [6, null],
      [null, 'skipped'],
    ])
    for (const row of answers) expect(row).toMatchObject(nullsFor(snake(paradata)))
    expect(await rowsOf(experimentId, 'devices')).toEqual([])
    for (const planted of ['987654321', 'Pitcairn']) expect(await tracesOf(world(), planted)).toEqual([])
    const lines = await table.exported(experimentId)
    expect(lines.filter(({ type }) => type === 'device_report')).toMatchObject([{ data: {} }])
    const misplaced = [
      { ...reported({}), ...device },
      { ...answered({}), paradata, note: 'of the page' },
    ]
    succeeded(await cast.send(session, misplaced))
    for (const planted of ['987654321', 'Pitcairn']) expect(await tracesOf(world(), planted)).toEqual([])
    expect(await tracesOf(world(), 'of the page')).not.toEqual([])
  })

  test('[R93,D32] a study that collects some kinds has exactly these', async () => {
    const experimentId = await table.open(study({ paradata: ['focus', 'network'] }))
    await play(experimentId)
    const { focusLostCount, focusLostMs, networkDelayMs, ...others } = paradata
    const kept = snake({ focusLostCount, focusLostMs, networkDelayMs })
    const [overHttp, inRoom, missing] = await rowsOf(experimentId, 'responses')
    for (const row of [overHttp, inRoom]) expect(row).toMatchObject({ ...kept, ...nullsFor(snake(others)) })
    expect(missing).toMatchObject(nullsFor(snake(paradata)))
    expect(await rowsOf(experimentId, 'devices')).toMatchObject([
      { ...nullsFor(snake(device)), network_delay_ms: 31 },
    ])
    for (const planted of ['987654321', 'Pitcairn']) expect(await tracesOf(world(), planted)).toEqual([])
  })

  test('[R93,D32] a study that collects everything has it in every format, page by page and resumed', async () => {
    const experimentId = await table.open(study({ paradata: [...paradataKinds] }))
    const sessions = [await play(experimentId), await play(experimentId)]
    const answers = await rowsOf(experimentId, 'responses')
    for (const { participantId } of sessions) {
      const [overHttp, inRoom, missing] = answers.filter(
        ({ participant_id }) => participant_id === participantId,
      )
      expect(overHttp).toMatchObject({ ...snake(paradata), origin: 'client', value: 5 })
      expect(inRoom).toMatchObject({ ...snake(paradata), keystrokes: 41, origin: 'room', value: 6 })
      expect(missing).toMatchObject({ ...nullsFor(snake(paradata)), missing: 'skipped' })
    }
    const devices = await rowsOf(experimentId, 'devices')
    expect(devices.map(({ participant_id }) => participant_id).toSorted()).toEqual(
      sessions.map(({ participantId }) => participantId).toSorted(),
    )
    for (const row of devices) expect(row).toMatchObject(snake(device))
    for (const name of ['responses', 'devices']) {
      const file = await of(experimentId)
      const query = { table: name, format: 'csv' }
      await expectToContinue({ ...file, query })
      const path = `${file.http}/api/experiments/${experimentId}/export?${new URLSearchParams(query)}`
      const headers = { authorization: `Bearer ${file.token}` }
      const whole = await (await fetch(path, { headers })).text()
      expect(await (await fetch(`${path}&cursor=start`, { headers })).text()).toBe(whole)
    }
    const codebook = await rowsOf(experimentId, 'codebook')
    const described = (variable: string, table = 'devices') =>
      codebook.find((row) => row.table === table && row.variable === variable)
    expect(described('viewport_width')).toMatchObject({ type: 'whole', unit: 'px' })
    expect(described('network_delay_ms')).toMatchObject({ type: 'number', unit: 'ms' })
    expect(described('pasted_characters', 'responses')).toMatchObject({ type: 'whole', unit: 'characters' })
    expect(described('input_kind')?.values).toEqual(
      ['touch', 'pointer', 'both', 'keyboard'].map((value) => ({ value })),
    )
  })

  test('[R48,R93] the file of one person has their devices, and deleting them removes these', async () => {
    const experimentId = await table.open(study({ paradata: ['device', 'paste'] }))
    const [session, other] = [await play(experimentId), await play(experimentId)]
    const { token } = await table.researcher()
    const person = { token, params: { experimentId, participantId: session.participantId } }
    const file = await table.api.call(privacyRoutes.export, person)
    for (const planted of ['Pitcairn', '987654321']) expect(file.text).toContain(planted)
    succeeded(await table.api.call(privacyRoutes.erase, { ...person, query: { scope: 'all' } }))
    const devices = await rowsOf(experimentId, 'devices')
    expect(devices.map(({ participant_id }) => participant_id)).toEqual([other.participantId])
  })

  test('[R93] what is no measurement is refused as a whole, over HTTP and in rooms', async () => {
    const experimentId = await table.open(study({ paradata: [...paradataKinds] }))
    const session = await table.join(experimentId)
    succeeded(await cast.send(session, [agreed()]))
    const room = await table.connect(session)
    const secret = 'what somebody pasted'
    const before = (await table.exported(experimentId)).length
    for (const bad of [{ pastedText: secret }, { pasteCount: secret }, { keystrokes: -1 }]) {
      const [field = ''] = Object.keys(bad)
      const answer = await cast.send(session, [answered({}), answered({ paradata: bad })])
      expect(issuePathsOf(answer)).toEqual([`/events/1/data/paradata/${field}`])
      const act = room.act('submit_response', { componentId: 'rate', value: 1, paradata: bad })
      expect(await refused(act)).toBe('VALIDATION_FAILED')
    }
    for (const bad of [{ userAgent: secret }, { browser: secret }, { viewportWidth: 1e9 }]) {
      const [field = ''] = Object.keys(bad)
      expect(issuePathsOf(await cast.send(session, [reported(bad)]))).toEqual([`/events/0/data/${field}`])
    }
    expect(await table.exported(experimentId)).toHaveLength(before)
    expect(await tracesOf(world(), secret)).toEqual([])
    room.close()
  })
})
