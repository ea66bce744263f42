import { revisionRoutes } from '@atrium/contract'
import { describeInOneMode, smallestDefinition, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf } from './cast.ts'
import { issuePathsOf, refusalOf } from './refusal.ts'

describeInOneMode('older revisions', (world) => {
  const cast = castOf(world)
  const list = async (experimentId: string, query: Record<string, string> = {}) =>
    await cast.api.call(revisionRoutes.list, {
      token: (await cast.researcher()).token,
      params: { experimentId },
      query,
    })
  const read = async (experimentId: string, revision: string) =>
    await cast.api.call(revisionRoutes.read, {
      token: (await cast.researcher()).token,
      params: { experimentId, revision },
    })

  test('[R54] every revision is listed, newest first, and can be read with its definition', async () => {
    const experimentId = await cast.open({ name: 'First' })
    const [first, second, third] = ['First', 'Second', 'Third'].map((name) => smallestDefinition({ name }))
    if (!first || !second || !third) throw new Error('three were made')
    await cast.revise(experimentId, second)
    await cast.revise(experimentId, third)
    const all = succeeded(await list(experimentId))
    expect(all.revisions.map(({ revision, name }) => [revision, name])).toEqual([
      [3, 'Third'],
      [2, 'Second'],
      [1, 'First'],
    ])
    expect(all.next).toBeNull()
    for (const [index, definition] of [first, second, third].entries()) {
      const head = all.revisions[2 - index]
      expect(head?.createdBy).toContain('researcher-')
      expect(succeeded(await read(experimentId, String(index + 1)))).toEqual({ ...head, definition })
    }
    const page = succeeded(await list(experimentId, { limit: '2' }))
    expect([page.revisions.length, page.next]).toEqual([2, '2'])
    const rest = succeeded(await list(experimentId, { limit: '2', before: page.next ?? '' }))
    expect([rest.revisions.map(({ revision }) => revision), rest.next]).toEqual([[1], null])
  })

  test('[X30] an unknown revision is refused, and so is anything but a number', async () => {
    const experimentId = await cast.open()
    expect(refusalOf(await read(experimentId, '2'))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(refusalOf(await read(experimentId, '2147483647'))).toMatchObject({ status: 404 })
    for (const revision of ['0', '-1', '1.5', 'latest', '99999999999', '1e3'])
      expect([revision, refusalOf(await read(experimentId, revision)).code]).toEqual([
        revision,
        'VALIDATION_FAILED',
      ])
    expect(issuePathsOf(await list(experimentId, { before: '0' }))).toEqual(['/before'])
    for (const answer of [await list('exp_nothing'), await read('exp_nothing', '1')])
      expect(refusalOf(answer)).toMatchObject({ status: 404, code: 'EXPERIMENT_NOT_FOUND' })
  })
})
