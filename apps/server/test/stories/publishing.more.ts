import { draftRoutes, experimentRoutes, pilotRoutes, revisionRoutes, shareRoutes } from '@atrium/contract'
import { createResearcher, describeInBothModes, smallestDefinition, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf } from './cast.ts'
import { refusalOf } from './refusal.ts'

describeInBothModes('[X67] [X68] from a draft to what people get', (world) => {
  const cast = castOf(world)

  async function studyBegunWith(definition: unknown) {
    const { token } = await createResearcher(cast.api)
    const begun = succeeded(await cast.api.call(experimentRoutes.begin, { token, body: { definition } }))
    const params = { experimentId: begun.experimentId }
    return {
      begun,
      token,
      params,
      read: async () => succeeded(await cast.api.call(experimentRoutes.read, { token, params })),
      draft: async () => succeeded(await cast.api.call(draftRoutes.read, { token, params })),
      save: async (version: number, definition: unknown, by = token) =>
        await cast.api.call(draftRoutes.save, {
          token: by,
          params,
          body: { version, basedOn: 1, definition },
        }),
      publish: async (body: { version: number; basedOn: number; start?: boolean }, by = token) =>
        await cast.api.call(draftRoutes.publish, { token: by, params, body }),
      setStatus: async (status: 'recruiting' | 'paused', revision?: number) =>
        await cast.api.call(experimentRoutes.changeStatus, {
          token,
          params,
          body: { status, ...(revision !== undefined && { revision }) },
        }),
      share: async () => {
        const ben = await createResearcher(cast.api)
        const body = { shares: [{ user: ben.sub, access: 'edit' as const }] }
        succeeded(await cast.api.call(shareRoutes.replace, { token, params, body }))
        return ben.token
      },
    }
  }

  test('a template recruits nobody before something was published by choice', async () => {
    const study = await studyBegunWith(smallestDefinition({ name: 'Template' }))
    expect(study.begun).toMatchObject({ revision: 1, status: 'draft', isValid: true, version: 1 })
    expect(await study.read()).toMatchObject({ name: 'Template', isPublished: false })
    expect(await study.draft()).toMatchObject({ version: 1, draft: { basedOn: 1, isYours: true } })
    expect(refusalOf(await study.setStatus('recruiting'))).toMatchObject({ code: 'NOT_PUBLISHED' })
    const { token, params } = study
    const agents = [{ id: 'a', name: 'A', provider: 'Scripted' as const, instructions: '' }]
    const played = await cast.api.call(pilotRoutes.create, { token, params, body: { rooms: 1, agents } })
    expect(refusalOf(played)).toMatchObject({ code: 'NOT_PUBLISHED' })
    const discarded = await cast.api.call(draftRoutes.discard, { token, params, query: { version: '1' } })
    expect(refusalOf(discarded)).toMatchObject({ code: 'NOT_PUBLISHED' })

    succeeded(await study.save(1, smallestDefinition({ name: 'Mine' })))
    expect(succeeded(await study.publish({ version: 2, basedOn: 1, start: true }))).toMatchObject({
      revision: 2,
      status: 'recruiting',
      version: 3,
    })
    expect(await study.read()).toMatchObject({ name: 'Mine', isPublished: true, status: 'recruiting' })
    expect(await study.draft()).toEqual({ version: 3, draft: null })
  })

  test('what is no definition yet can be begun with, and is refused with its places', async () => {
    const study = await studyBegunWith({ name: 'Half\nwritten', states: [{ id: 's1' }] })
    expect(study.begun).toMatchObject({ isValid: false })
    expect(await study.read()).toMatchObject({ name: 'Half written', isPublished: false })
    expect(refusalOf(await study.publish({ version: 1, basedOn: 1, start: true }))).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { issues: [{ path: '/name' }, { path: '/states/0/components' }] },
    })
    expect(await study.read()).toMatchObject({ revision: 1, status: 'draft', isPublished: false })
    expect(await study.draft()).toMatchObject({ version: 1 })
  })

  test('of two researchers who publish at once, one does; what neither has seen is not published', async () => {
    const study = await studyBegunWith(smallestDefinition())
    const ben = await study.share()
    const asked = { version: 1, basedOn: 1, start: true }
    const both = await Promise.all([study.publish(asked), study.publish(asked, ben)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const { token, params } = study
    const { revisions } = succeeded(await cast.api.call(revisionRoutes.list, { token, params, query: {} }))
    expect(revisions.map(({ revision }) => revision)).toEqual([2, 1])

    succeeded(await study.save(2, smallestDefinition({ name: 'Ada’s' })))
    succeeded(await study.save(3, smallestDefinition({ name: 'Ben’s' }), ben))
    const unseen = await study.publish({ version: 3, basedOn: 2 })
    expect(refusalOf(unseen)).toMatchObject({ code: 'DRAFT_CONFLICT', details: { version: 4 } })
    const outdated = await study.publish({ version: 4, basedOn: 1 })
    expect(refusalOf(outdated)).toMatchObject({ code: 'REVISION_CONFLICT', details: { revision: 2 } })
    expect(await study.draft()).toMatchObject({ version: 4, draft: { definition: { name: 'Ben’s' } } })
  })

  test('a request whose response was lost can be sent again, and publishes nothing twice', async () => {
    const study = await studyBegunWith(smallestDefinition())
    const published = succeeded(await study.publish({ version: 1, basedOn: 1 }))
    expect(published).toMatchObject({ revision: 2, status: 'draft', version: 2 })
    expect(succeeded(await study.publish({ version: 1, basedOn: 1 }))).toEqual(published)
    // The answer to the first was lost, and then recruiting was wanted as well.
    expect(succeeded(await study.publish({ version: 1, basedOn: 1, start: true }))).toMatchObject({
      revision: 2,
      status: 'recruiting',
    })
    expect(refusalOf(await study.publish({ version: 2, basedOn: 2 }))).toMatchObject({
      code: 'DRAFT_CONFLICT',
    })
  })

  test('[X69] recruiting starts with the revision that was named, or not at all', async () => {
    const study = await studyBegunWith(smallestDefinition())
    succeeded(await study.publish({ version: 1, basedOn: 1 }))
    expect(refusalOf(await study.setStatus('recruiting', 1))).toMatchObject({
      code: 'REVISION_CONFLICT',
      details: { revision: 2 },
    })
    succeeded(await study.save(2, { name: 'later' }))
    expect(succeeded(await study.setStatus('recruiting', 2))).toMatchObject({ status: 'recruiting' })
    expect(await study.draft()).toMatchObject({ draft: { definition: { name: 'later' } } })
  })
})
