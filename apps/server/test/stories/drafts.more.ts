import { draftRoutes, experimentRoutes, shareRoutes } from '@atrium/contract'
import { createResearcher, describeInBothModes, smallestDefinition, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf } from './cast.ts'
import { refusalOf } from './refusal.ts'

describeInBothModes('[X55] the draft of the next revision', (world) => {
  const cast = castOf(world)

  async function draftOf(name: string) {
    const researcher = await createResearcher(cast.api)
    const { token } = researcher
    const { experimentId } = succeeded(
      await cast.api.call(experimentRoutes.create, { token, body: smallestDefinition({ name }) }),
    )
    const params = { experimentId }
    return {
      experimentId,
      token,
      read: async (known?: number, by = token) =>
        await cast.api.call(draftRoutes.read, {
          token: by,
          params,
          query: known === undefined ? {} : { known: String(known) },
        }),
      save: async (version: number, definition: unknown, by = token) =>
        await cast.api.call(draftRoutes.save, {
          token: by,
          params,
          body: { version, basedOn: 1, definition },
        }),
      discard: async (version: number) =>
        await cast.api.call(draftRoutes.discard, { token, params, query: { version: String(version) } }),
    }
  }

  test('anything can be a draft, and participants get the revision all the same', async () => {
    const draft = await draftOf('Published')
    expect(succeeded(await draft.read())).toEqual({ version: 0, draft: null })
    const half = { name: '', states: [{ id: 's1', next: 'not yet' }], extra: { deep: [null, 1.5] } }
    expect(succeeded(await draft.save(0, half))).toMatchObject({ version: 1, draft: { isYours: true } })
    expect(succeeded(await draft.read())).toMatchObject({
      version: 1,
      draft: { definition: half, basedOn: 1 },
    })
    expect(succeeded(await draft.read(1))).toMatchObject({ version: 1, draft: { definition: null } })
    const { token, experimentId } = draft
    expect(
      succeeded(await cast.api.call(experimentRoutes.read, { token, params: { experimentId } })),
    ).toMatchObject({ revision: 1, name: 'Published' })
    expect(succeeded(await draft.discard(1))).toEqual({ version: 2, draft: null })
    expect(succeeded(await draft.read())).toEqual({ version: 2, draft: null })
  })

  test('two editors never overwrite each other unseen', async () => {
    const draft = await draftOf('Shared')
    const ben = await createResearcher(cast.api)
    succeeded(
      await cast.api.call(shareRoutes.replace, {
        token: draft.token,
        params: { experimentId: draft.experimentId },
        body: { shares: [{ user: ben.sub, access: 'edit' }] },
      }),
    )
    succeeded(await draft.save(0, { name: 'Ada’s' }))
    expect(refusalOf(await draft.save(0, { name: 'Ben’s' }, ben.token))).toMatchObject({
      status: 409,
      code: 'DRAFT_CONFLICT',
      details: { version: 1 },
    })
    expect(succeeded(await draft.read(undefined, ben.token))).toMatchObject({
      draft: { definition: { name: 'Ada’s' }, isYours: false },
    })
    succeeded(await draft.save(1, { name: 'Both' }, ben.token))
    expect(refusalOf(await draft.discard(1))).toMatchObject({ code: 'DRAFT_CONFLICT' })
    expect(succeeded(await draft.read())).toMatchObject({ draft: { definition: { name: 'Both' } } })
  })

  test('an archived experiment has no drafts any more', async () => {
    const draft = await draftOf('Old')
    const { token, experimentId } = draft
    for (const status of ['recruiting', 'closed', 'archived'] as const)
      succeeded(
        await cast.api.call(experimentRoutes.changeStatus, {
          token,
          params: { experimentId },
          body: { status },
        }),
      )
    expect(refusalOf(await draft.save(0, {}))).toMatchObject({ status: 409, code: 'STATUS_CONFLICT' })
  })
})
