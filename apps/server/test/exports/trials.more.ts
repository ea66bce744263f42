import { type ExperimentDefinition, tableRoutes } from '@atrium/contract'
import { describeInBothModes, smallestDefinition, succeeded } from '@atrium/testkit'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { acknowledged, tableIn } from '../rooms/table.ts'
import { download, readEveryFormat } from './read-files.ts'

const reaction = (trial: number, rtMs: number, key: string) => ({
  ...{ trial, key, rtMs, correct: key === 'f', timedOut: false, onsetMs: 100 + trial * 500 },
  ...{ frameMs: 16.7, input: 'keyboard', hidden: false },
})
const reactions = (rtMs: number) => ({
  trials: [reaction(0, rtMs, 'f'), reaction(1, rtMs + 10, 'j')],
  precision: { frameMs: 16.7, clockStepMs: 0.1 },
})
const letters = {
  trials: [
    {
      trial_type: 'html-keyboard-response',
      stimulus: '<b>A</b>',
      response: 'f',
      rt: 512,
      kind: 'vowel',
      weight: 0.5,
    },
    { trial_type: 'survey-text', response: { why: '=because', Q1: 'no' }, rt: 900 },
  ].map((trial, index) => ({ ...trial, trial_index: index, time_elapsed: 600 * (index + 1), run: 0 })),
}

const how = { id: 'how', type: 'matrix', rows: ['Nice', 'Odd'], columns: ['yes', 'no'] }
const tags = { id: 'tags', type: 'multiple_choice', options: ['a', 'b'], multiple: true }
const fast = {
  ...{ id: 'fast', type: 'reaction_time', keys: ['f', 'j'] },
  trials: ['X', 'Y'].map((text) => ({ text, correctKey: 'f' })),
}
const task = {
  ...{ id: 'letters', type: 'jspsych' },
  timeline: [
    {
      ...{ type: 'html-keyboard-response', stimulus: '<b>A</b>', choices: ['f', 'j'] },
      data: { kind: 'vowel', weight: 0.5 },
    },
    { type: 'survey-text', questions: [{ prompt: 'Why?', name: 'why' }, { prompt: 'Sure?' }] },
  ],
}

/** Each row asks how the word is and times a reaction to it; a timeline follows. */
const study = (tableId: string): ExperimentDefinition =>
  smallestDefinition({
    states: [
      {
        id: 'judge',
        instructions: '{{trial.word}}',
        components: [how, tags],
        end: { on: 'button' },
      },
      { id: 'react', components: [fast], end: { on: 'all_responded' } },
      { id: 'task', components: [task], end: { on: 'all_responded' } },
    ],
    matching: { groupSize: 1 },
    tables: { words: { tableId } },
    blocks: [{ id: 'main', states: ['judge', 'react'], trials: { table: 'words' } }],
  })

describeInBothModes('the table of trials', (world) => {
  const table = tableIn(world)

  async function openStudy(): Promise<string> {
    const { token } = await table.researcher()
    const text = 'word,length,real\nred,3,true\nglub,4,false\n'
    const body = { name: 'words.csv', text }
    const { tableId } = succeeded(await table.api.call(tableRoutes.create, { token, body }))
    const experimentId = await table.open(study(tableId))
    // Its rows are those of the revision.
    succeeded(await table.api.call(tableRoutes.remove, { token, params: { tableId } }))
    return experimentId
  }

  /** Plays one trial and the beginning of another, or all of them. */
  async function play(experimentId: string, { isWhole }: { isWhole: boolean }): Promise<string> {
    const session = await table.join(experimentId)
    const socket = await table.connect(session)
    const answer = (componentId: string, value: unknown) =>
      acknowledged(socket.act('submit_response', { componentId, value }))
    for (const trial of isWhole ? [1, 2] : [1]) {
      await answer('how', { Nice: 'yes', Odd: trial === 1 ? 'no' : 'yes' })
      await answer('tags', trial === 1 ? ['a', 'b'] : ['b'])
      await acknowledged(socket.act('ready', { stateId: 'judge' }))
      await answer('fast', reactions(300 * trial))
    }
    if (isWhole) {
      await answer('letters', letters)
      await socket.event('finished')
    }
    socket.close()
    return session.participantId
  }

  const of = async (experimentId: string, query: Record<string, string> = {}) => {
    const { token } = await table.researcher()
    return { http: table.server().http, token, experimentId, table: 'trials' as const, query }
  }
  async function rowsOf(experimentId: string, query: Record<string, string> = {}) {
    const read = await readEveryFormat(await of(experimentId, query))
    expect(read.csv.rows).toEqual(read.jsonl.rows)
    expect(read.parquet.rows).toEqual(read.jsonl.rows)
    return read.parquet
  }

  test('[R66,D47] each trial is a row with what was played and what was answered, without JSON', async () => {
    const experimentId = await openStudy()
    const participantId = await play(experimentId, { isWhole: true })
    const { rows, types } = await rowsOf(experimentId)
    expect(rows.every(({ participant_id }) => participant_id === participantId)).toBe(true)
    expect(Object.values(types)).not.toContain('JSON')
    const blocks = rows.filter(({ source }) => source === 'block')
    expect(blocks).toMatchObject([
      {
        ...{ block_id: 'main', round: 1, trial_index: 1, row_number: 1, occurrence: 1, state_id: 'judge' },
        ...{ row_word: 'red', row_length: 3, row_real: true },
        ...{ judge__how__Nice: 'yes', judge__how__Odd: 'no', judge__tags: 'a; b', component_id: null },
      },
      {
        ...{ trial_index: 2, row_number: 2, row_word: 'glub', row_length: 4, row_real: false },
        ...{ judge__how__Odd: 'yes', judge__tags: 'b' },
      },
    ])
    for (const row of blocks) expect(row.duration_ms).toBe(Number(row.ended_at) - Number(row.started_at))
    expect(blocks[0]?.ended_at).toBe(blocks[1]?.started_at)
    expect(rows.filter(({ source }) => source === 'reaction_time')).toMatchObject(
      [1, 2].flatMap((trial) =>
        ['X', 'Y'].map((stimulus, at) => ({
          ...{ block_id: 'main', trial_index: trial, row_word: trial === 1 ? 'red' : 'glub' },
          ...{ component_id: 'fast', component_trial: at + 1, defined_trial: at + 1, stimulus },
          ...{ rt_ms: 300 * trial + 10 * at, correct: at === 0, timed_out: false, input: 'keyboard' },
        })),
      ),
    )
    expect(rows.filter(({ source }) => source === 'jspsych')).toMatchObject([
      {
        ...{ block_id: null, row_word: null, plugin: 'html-keyboard-response', stimulus: '<b>A</b>' },
        ...{ response: 'f', rt_ms: 512, data_kind: 'vowel', data_weight: 0.5, component_trial: 1, run: 0 },
      },
      { plugin: 'survey-text', response: null, response_why: '=because', response_Q1: 'no', data_kind: null },
    ])
  })

  test('[R66,D47] a trial that somebody left in the middle has no end, and pages are the file', async () => {
    const experimentId = await openStudy()
    await play(experimentId, { isWhole: true })
    await play(experimentId, { isWhole: false })
    const { rows } = await rowsOf(experimentId, { revision: '1' })
    expect(
      rows.filter(({ source }) => source === 'block').map((row) => [row.trial_index, row.ended_at !== null]),
    ).toEqual([
      [1, true],
      [2, true],
      [1, true],
      [2, false],
    ])
    for (const format of ['jsonl', 'csv'] as const) {
      const whole = await download(await of(experimentId), format)
      const page = await download(await of(experimentId, { cursor: 'start' }), format)
      expect(page.toString()).toBe(whole.toString())
    }
    const participants = { ...(await of(experimentId)), table: 'participants' as const }
    expect((await download(participants, 'csv')).toString()).not.toContain('row_word')
  })

  test('[R66,D11] the codebook says what each column of the study is', async () => {
    const experimentId = await openStudy()
    await play(experimentId, { isWhole: false })
    const codebook = { ...(await of(experimentId)), table: 'codebook' as const }
    const described: Record<string, string>[] = parse(await download(codebook, 'csv'), { columns: true })
    const meaning = (variable: string) =>
      described.find((row) => row.table === 'trials' && row.variable === variable)
    expect(meaning('row_length')).toMatchObject({
      type: 'number',
      description: 'Column ‘length’ of the row that was played, from table ‘words’',
    })
    expect(meaning('judge__how__Nice')).toMatchObject({
      type: 'text',
      component_type: 'matrix',
      state_id: 'judge',
    })
    expect(meaning('judge__tags__rt_ms')).toMatchObject({ type: 'number', unit: 'ms', component_id: 'tags' })
    expect(meaning('data_kind')?.description).toContain('‘letters’')
    expect(meaning('response_why')?.description).toContain('‘why’')
  })
})
