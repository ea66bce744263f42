import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import { joined, openExperiment, startOfTime } from '../../../../test/stores/samples.ts'
import { responseRows } from '../../../modules/exports/tables/response-rows.ts'

interface Line {
  type: string
  visit?: number
  componentId?: string
  data?: object
}

describeOnBothEngines('answers that pages sent over HTTP', (engine) => {
  test('[D26] are not missing in the visit in which, or after which, they arrived', async () => {
    const { database, change } = engine()
    const experimentId = await openExperiment(database)
    const { sessionId } = await joined(database, experimentId)
    const missing = (...ids: string[]) => ({
      components: ids.map((componentId) => ({ componentId, reason: 'skipped' })),
    })
    const lines: Line[] = [
      { type: 'state_transition', visit: 1 },
      { type: 'component_response', componentId: 'soon' },
      { type: 'answers_missing', visit: 1, data: missing('soon', 'late', 'never') },
      { type: 'component_response', componentId: 'late' },
      { type: 'state_transition', visit: 2 },
      { type: 'answers_missing', visit: 2, data: missing('soon', 'late', 'never') },
    ]
    for (const [index, { type, visit = null, componentId, data = { value: 1 } }] of lines.entries())
      await change(`insert into events (stream_no, seq, type, state_id, component_id, timestamp, received_at, data, flags,
          room_seq, visit)
        select stream_no, ${index + 1}, '${type}', 'ask', ${componentId ? `'${componentId}'` : 'null'}, ${startOfTime},
          ${startOfTime + index}, '${JSON.stringify(data)}', '', ${visit && index + 1}, ${visit}
        from event_streams where session_id = '${sessionId}'`)
    await change(`update event_streams set last_seq = ${lines.length} where session_id = '${sessionId}'`)
    const filters = { joinedFrom: null, joinedBefore: null, revision: null, status: null }
    const table = responseRows(database.exports, async () => ({ name: 'Test', states: [] }))
    const [page] = await database.exports.plan(
      { experimentId, source: 'people', filters },
      table.types,
      null,
      1,
    )
    if (!page) throw new Error('there is a page')
    const rows = await table.rowsOf(await database.exports.parts(page), true)
    expect(rows.map((row) => [row.componentId, row.visit, row.missing ?? null])).toEqual([
      ['soon', null, null],
      ['never', 1, 'skipped'],
      ['late', null, null],
      ...['soon', 'late', 'never'].map((id) => [id, 2, 'skipped']),
    ])
  })
})
