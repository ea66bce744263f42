import { type DefinitionChecked, experimentRoutes, limits, tableRoutes } from '@atrium/contract'
import { codeOf, createResearcher, describeInBothModes, smallestDefinition, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf } from './cast.ts'
import { issuePathsOf, refusalOf } from './refusal.ts'

describeInBothModes('[R66] tables of trials', (world) => {
  const cast = castOf(world)
  const text = 'word,size\nred,1\nblue,2.5\n,3\n'
  const upload = (token: string, body: object = { name: 'words.csv', text }) =>
    cast.api.call(tableRoutes.create, { token, body })
  const listed = async (token: string) => succeeded(await cast.api.call(tableRoutes.list, { token })).tables
  const read = (token: string, tableId: string) =>
    cast.api.call(tableRoutes.read, { token, params: { tableId } })

  test('a table is uploaded as CSV, listed, read and deleted by its owner', async () => {
    const { token } = await createResearcher(cast.api)
    const head = succeeded(await upload(token))
    expect(head).toMatchObject({ name: 'words.csv', columns: ['word', 'size'], rows: 3 })
    expect(await listed(token)).toEqual([head])
    expect(succeeded(await read(token, head.tableId)).content).toEqual([
      { word: 'red', size: 1 },
      { word: 'blue', size: 2.5 },
      { word: null, size: 3 },
    ])
    const other = await createResearcher(cast.api)
    expect(codeOf(await read(other.token, head.tableId))).toBe('TABLE_NOT_FOUND')
    expect(await listed(other.token)).toEqual([])
    const params = { tableId: head.tableId }
    succeeded(await cast.api.call(tableRoutes.remove, { token, params }))
    expect(codeOf(await cast.api.call(tableRoutes.remove, { token, params }))).toBe('TABLE_NOT_FOUND')
  })

  test('what cannot be read is refused with the number of the line', async () => {
    const { token } = await createResearcher(cast.api)
    const answer = await upload(token, { name: 'bad.csv', text: 'word,size\nred,1\nblue\n' })
    expect(refusalOf(answer)).toMatchObject({ code: 'VALIDATION_FAILED' })
    expect(issuePathsOf(answer)).toEqual(['/text'])
    expect(answer.text).toContain('line 3: the row has 1 cell, but there are 2 columns')
    const wide = Array.from({ length: limits.tables.columns + 1 }, (_, at) => `c${at}`).join()
    expect((await upload(token, { name: 'wide.csv', text: `${wide}\n` })).text).toContain('the limit is 100')
  })

  test('[F84,RM214] a definition names a table of its author; the rows that it has are checked', async () => {
    const owner = await createResearcher(cast.api)
    const { tableId } = succeeded(await upload(owner.token))
    const study = (sample: number) =>
      smallestDefinition({
        tables: { words: { tableId } },
        blocks: [{ id: 'main', states: ['s1'], trials: { table: 'words', sample } }],
      })
    const check = async (token: string, body: object): Promise<DefinitionChecked> =>
      succeeded(await cast.api.call(experimentRoutes.check, { token, body }))
    expect(await check(owner.token, study(3))).toMatchObject({ isValid: true })
    expect(await check(owner.token, study(4))).toMatchObject({
      findings: [{ message: 'cannot draw 4 rows: table ‘words’ has 3 rows' }],
    })
    const other = await createResearcher(cast.api)
    expect(await check(other.token, study(3))).toMatchObject({
      findings: [
        { path: '/tables/words/tableId', message: `there is no table ‘${tableId}’ that you may use` },
      ],
    })
    const experimentId = await owner.openExperiment(study(3))
    // The study goes on with the rows of a deleted table, and so do its next revisions.
    succeeded(await cast.api.call(tableRoutes.remove, { token: owner.token, params: { tableId } }))
    succeeded(
      await cast.api.call(experimentRoutes.revise, {
        token: owner.token,
        params: { experimentId },
        body: study(2),
      }),
    )
  })
})
