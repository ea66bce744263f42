import { smallestDefinition } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import { newDefinition, startOfTime } from '../../../../test/stores/samples.ts'
import { systemClock } from '../../../kernel/clock.ts'
import { newExperimentId, newTableId } from '../../../kernel/ids.ts'
import { createExperiments } from '../../../modules/experiments/index.ts'
import { createTables } from '../../../modules/tables/index.ts'
import type { TableRecord, TableStore } from '../../../modules/tables/tables.store.ts'

const ada = { owners: ['urn:x ada'], principals: ['urn:x ada'] }
const bob = { owners: ['urn:x bob'], principals: ['urn:x bob'] }

describeOnBothEngines('[R66] the store of tables', (engine) => {
  const store = () => engine().database.trialTables
  const content = '[{"word":"röd"},{"word":null}]'

  async function aTable(more: Partial<TableRecord> = {}): Promise<TableRecord> {
    const record: TableRecord = {
      tableId: newTableId(),
      owner: 'urn:x ada',
      name: 'words.csv',
      columns: ['word'],
      rowCount: 2,
      bytes: 31,
      sha256: 'a'.repeat(64),
      createdAt: startOfTime,
      ...more,
    }
    expect(await store().create({ ...record, content }, 1_000)).toBe('created')
    return record
  }

  async function studyWith(tableId: string, actor = 'urn:x ada') {
    const experimentId = newExperimentId()
    const definition = smallestDefinition({
      tables: { words: { tableId } },
      blocks: [{ id: 'main', states: ['s1'], trials: { table: 'words' } }],
    })
    const by = { experimentId, actor, now: startOfTime }
    return {
      outcome: await engine().database.experiments.create({ ...by, ...newDefinition(definition) }),
      ...by,
    }
  }
  const isStored = async (tableId: string) =>
    (await engine().rows(`select 1 from trial_tables where table_id = '${tableId}'`)).length > 0
  const remove = (tableId: string, owner: string | null = 'urn:x ada') =>
    store().remove({ tableId, owner, actor: 'urn:x ada', now: startOfTime })

  test('a table is listed without its rows, newest first, and read with them by its owner alone', async () => {
    const owner = 'urn:x list'
    const sight = { owners: [owner], principals: [owner] }
    const old = await aTable({ owner })
    const young = await aTable({ owner, createdAt: startOfTime + 1 })
    expect(await store().list(owner, 10)).toEqual([young, old])
    expect(await store().visible([old.tableId, 'tbl_none'], sight)).toEqual([{ ...old, content }])
    expect(await store().visible([old.tableId], bob)).toEqual([])
    expect(await store().contents([old.tableId])).toEqual([{ tableId: old.tableId, content }])
  })

  test('nobody has more than the limit, and what was deleted does not count', async () => {
    const owner = 'urn:x many'
    const [first] = [await aTable({ owner }), await aTable({ owner })]
    const more = { ...first, tableId: newTableId(), content }
    expect(await store().create(more, 2)).toBe('too_many')
    expect(await remove(first.tableId, owner)).toBe(true)
    expect(await store().create(more, 2)).toBe('created')
  })

  test('a table that no revision uses is deleted for good, by its owner alone', async () => {
    const { tableId } = await aTable()
    expect(await remove(tableId, 'urn:x bob')).toBe(false)
    expect(await remove(tableId)).toBe(true)
    expect(await isStored(tableId)).toBe(false)
    expect(await remove(tableId)).toBe(false)
    const [audited] = await engine().rows(
      `select actor, action from audit_log where subject = '${tableId}' order by entry_no desc`,
    )
    expect(audited).toEqual({ actor: 'urn:x ada', action: 'table_deleted' })
  })

  test('[F84,RM214] a revision keeps the rows of a deleted table, until its experiment is deleted', async () => {
    const { tableId, owner } = await aTable()
    const { experimentId } = await studyWith(tableId)
    expect(await remove(tableId)).toBe(true)
    expect(await store().list(owner, 1_000)).not.toContainEqual(expect.objectContaining({ tableId }))
    expect(await store().contents([tableId])).toEqual([{ tableId, content }])
    // Whoever sees the experiment may go on using it there.
    expect(await store().visible([tableId], ada)).toHaveLength(1)
    const removal = { experimentId, actor: 'urn:x ada', now: startOfTime }
    expect(await engine().database.experiments.remove(removal)).toEqual({ kind: 'removed' })
    expect(await isStored(tableId)).toBe(false)
  })

  test('[RM214] a table that was deleted a moment ago cannot be used', async () => {
    expect((await studyWith('tbl_none')).outcome).toBe('table_gone')
  })

  test('[V28] rows are read once for a definition, and not again while it is being saved', async () => {
    const { tableId } = await aTable()
    const { trialTables, experiments } = engine().database
    const reads: string[] = []
    const store: TableStore = {
      ...trialTables,
      async visible(...given) {
        reads.push('for the check')
        return await trialTables.visible(...given)
      },
      async contents(...given) {
        reads.push('again')
        return await trialTables.contents(...given)
      },
    }
    const tables = createTables({ store, clock: systemClock })
    const { create } = createExperiments({ store: experiments, clock: systemClock, filled: tables.filled })
    const definition = smallestDefinition({
      tables: { words: { tableId } },
      blocks: [{ id: 'main', states: ['s1'], trials: { table: 'words' } }],
    })
    const author = {
      issuer: 'urn:x',
      subject: 'ada',
      verifiedEmail: undefined,
      isAdmin: false,
      isResearcher: true,
    }
    expect((await tables.rowsFor(definition, author)).get(tableId)).toHaveLength(2)
    await create(definition, 'urn:x ada')
    expect(reads).toEqual(['for the check'])
  })
})
