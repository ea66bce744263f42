import { type ExperimentStatus, experimentRoutes, experimentStatuses, unlimitedSlots } from '@atrium/contract'
import { describeInOneMode, smallestDefinition, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf, upTo } from './cast.ts'
import { issuePathsOf, refusalOf } from './refusal.ts'

/** R22: draft → recruiting ⇄ paused → closed → archived; closed may reopen. */
const allowed: Record<ExperimentStatus, ExperimentStatus[]> = {
  draft: ['recruiting'],
  recruiting: ['paused', 'closed'],
  paused: ['recruiting', 'closed'],
  closed: ['recruiting', 'archived'],
  archived: [],
}
/** The statuses to pass through from a draft to reach each status. */
const wayTo: Record<ExperimentStatus, ExperimentStatus[]> = {
  draft: [],
  recruiting: ['recruiting'],
  paused: ['recruiting', 'paused'],
  closed: ['recruiting', 'closed'],
  archived: ['recruiting', 'closed', 'archived'],
}

describeInOneMode('researcher API', (world) => {
  const cast = castOf(world)
  const token = async () => (await cast.researcher()).token
  const create = async (body: unknown) =>
    cast.api.call(experimentRoutes.create, { token: await token(), body })
  const draft = async () => succeeded(await create(smallestDefinition())).experimentId
  const read = async (experimentId: string) =>
    succeeded(await cast.api.call(experimentRoutes.read, { token: await token(), params: { experimentId } }))
  const changeStatus = async (experimentId: string, status: unknown) =>
    cast.api.call(experimentRoutes.changeStatus, {
      token: await token(),
      params: { experimentId },
      body: { status },
    })

  test('[R23a] the smallest definition is accepted: one person a room, no limit', async () => {
    const definition = { name: 'Smallest', states: [{ id: 's1', components: [] }] }
    const answer = await create(definition)
    expect(answer.status).toBe(201)
    const { experimentId } = answer.body
    expect(answer.body).toMatchObject({ experimentId, revision: 1, status: 'draft' })
    expect(await read(experimentId)).toEqual({
      experimentId,
      name: 'Smallest',
      status: 'draft',
      revision: 1,
      isPublished: true,
      availableSlots: unlimitedSlots,
      access: 'owner',
      definition,
    })
    succeeded(await changeStatus(experimentId, 'recruiting'))
    const { session } = await cast.participant(experimentId)
    expect(session.roomId).toMatch(/^room_/)
  })

  test('[R23a] every documented property of a definition is accepted and returned', async () => {
    const definition = smallestDefinition({
      globalComponents: [{ id: 'chat', type: 'chat', states: ['s1'], roles: ['seller'] }],
      roles: ['buyer', { id: 'seller', name: 'Seller', min: 1, max: 1 }],
      variables: { endowment: 10, offers: { scope: 'room', initial: [] } },
      capacity: 12,
      matching: { groupSize: { min: 2, max: 4 }, deadlineMs: 60_000, onDeadline: 'start_short' },
      completion: {
        codes: { SUCCESS: 'A', TIMEOUT: 'B' },
        redirectUrl: 'https://recruiter.example/?cc={{code}}&p={{participantId}}&x={{metadata.x}}',
        requireAllEvents: true,
        allowRepeat: true,
      },
    })
    const { experimentId } = succeeded(await create(definition))
    expect(await read(experimentId)).toMatchObject({ definition, availableSlots: 12 })
  })

  test('[R23] the list shows summaries, newest first', async () => {
    const older = await draft()
    const newer = await cast.open({ name: 'Newer', capacity: 4 })
    const { experiments } = succeeded(await cast.api.call(experimentRoutes.list, { token: await token() }))
    expect(experiments.find(({ experimentId }) => experimentId === newer)).toEqual({
      experimentId: newer,
      name: 'Newer',
      status: 'recruiting',
      revision: 1,
      isPublished: true,
      availableSlots: 4,
      access: 'owner',
    })
    const ids = experiments.map(({ experimentId }) => experimentId)
    expect(ids.indexOf(newer)).toBeLessThan(ids.indexOf(older))
  })

  test('[R22,X1] every change to the definition is a new revision, in any status except archived', async () => {
    const experimentId = await draft()
    for (const [index, status] of (['draft', 'recruiting', 'paused', 'closed'] as const).entries()) {
      if (status !== 'draft') succeeded(await changeStatus(experimentId, status))
      const definition = smallestDefinition({ name: `Wording ${index}` })
      expect(await cast.revise(experimentId, definition)).toMatchObject({
        experimentId,
        revision: index + 2,
        status,
      })
      expect(await read(experimentId)).toMatchObject({
        name: `Wording ${index}`,
        revision: index + 2,
        definition,
      })
    }
    succeeded(await changeStatus(experimentId, 'archived'))
    const options = { token: await token(), params: { experimentId }, body: smallestDefinition() }
    expect(refusalOf(await cast.api.call(experimentRoutes.revise, options))).toMatchObject({
      status: 409,
      code: 'STATUS_CONFLICT',
    })
  })

  test('[X56] an experiment that has never recruited is deleted, any other is not', async () => {
    const experimentId = await draft()
    const remove = async (id: string, by?: string) =>
      cast.api.call(experimentRoutes.remove, { token: by ?? (await token()), params: { experimentId: id } })
    const stranger = await cast.api.token('somebody-else', ['researcher'])
    expect(refusalOf(await remove(experimentId, stranger))).toMatchObject({ status: 404 })
    succeeded(await remove(experimentId))
    expect(refusalOf(await remove(experimentId))).toMatchObject({ code: 'EXPERIMENT_NOT_FOUND' })
    const { experiments } = succeeded(await cast.api.call(experimentRoutes.list, { token: await token() }))
    expect(experiments.map((one) => one.experimentId)).not.toContain(experimentId)
    const recruiting = await cast.open({ name: 'Recruiting' })
    for (const status of ['recruiting', 'closed', 'archived']) {
      succeeded(await changeStatus(recruiting, status))
      expect(refusalOf(await remove(recruiting))).toMatchObject({ status: 409, code: 'STATUS_CONFLICT' })
    }
  })

  test('[R22] concurrent revisions get different numbers', async () => {
    const experimentId = await draft()
    const revised = await Promise.all(
      upTo(8).map((number) => cast.revise(experimentId, smallestDefinition({ name: `Wording ${number}` }))),
    )
    const numbers = revised.map(({ revision }) => revision)
    expect(numbers.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('[R22] of those who edited the same revision, only the first saves; the others learn of it', async () => {
    const experimentId = await draft()
    const save = async (name: string, basedOn: number) =>
      await cast.api.call(experimentRoutes.revise, {
        token: await token(),
        params: { experimentId },
        query: { basedOn: String(basedOn) },
        body: smallestDefinition({ name }),
      })
    const answers = await Promise.all(upTo(8).map((number) => save(`Wording ${number}`, 1)))
    const [saved, ...more] = answers.filter(({ status }) => status === 200)
    expect(more).toEqual([])
    for (const answer of answers.filter((one) => one !== saved))
      expect(refusalOf(answer)).toEqual({
        status: 409,
        code: 'REVISION_CONFLICT',
        details: { basedOn: 1, revision: 2 },
      })
    expect(await read(experimentId)).toMatchObject({ revision: 2 })
    expect(succeeded(await save('On top of it', 2))).toMatchObject({ revision: 3 })
  })

  test.each(experimentStatuses)('[R22,X1] %s allows only the documented next statuses', async (from) => {
    for (const to of experimentStatuses) {
      const experimentId = await draft()
      for (const step of wayTo[from]) succeeded(await changeStatus(experimentId, step))
      const answer = await changeStatus(experimentId, to)
      if (from === to || allowed[from].includes(to)) {
        expect(answer.body).toEqual({ experimentId, revision: 1, status: to })
      } else {
        expect(refusalOf(answer)).toEqual({ status: 409, code: 'STATUS_CONFLICT', details: { from, to } })
        expect((await read(experimentId)).status).toBe(from)
      }
    }
  })

  test('[R9] an unknown status is refused', async () => {
    const experimentId = await draft()
    for (const status of ['running', '', null, undefined]) {
      const answer = await changeStatus(experimentId, status)
      expect(refusalOf(answer)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
      expect(issuePathsOf(answer)).toEqual(['/status'])
    }
  })

  const state = { id: 's1', components: [] }
  let kept: ReturnType<typeof draft> | undefined
  /** One experiment for all definitions that must not change it. */
  const unchanged = () => {
    kept ??= draft()
    return kept
  }
  test.each<[string, unknown, string]>([
    ['no name', { states: [state] }, '/name'],
    ['an empty name', { name: '', states: [state] }, '/name'],
    ['no states', { name: 'x' }, '/states'],
    ['an empty list of states', { name: 'x', states: [] }, '/states'],
    ['a state without components', { name: 'x', states: [{ id: 's1' }] }, '/states/0/components'],
    ['an unknown field', { ...smallestDefinition(), capacty: 3 }, '/capacty'],
    ['an unknown field in a state', { name: 'x', states: [{ ...state, colour: 'red' }] }, '/states/0/colour'],
    ['two states with the same id', { name: 'x', states: [state, state] }, '/states/1/id'],
    [
      'two components with the same id',
      {
        name: 'x',
        states: [
          {
            id: 's1',
            components: [
              { id: 'c', type: 't' },
              { id: 'c', type: 't' },
            ],
          },
        ],
      },
      '/states/0/components/1/id',
    ],
    ['two roles with the same id', { ...smallestDefinition(), roles: ['a', { id: 'a' }] }, '/roles/1'],
    ['an unknown role', { name: 'x', states: [{ ...state, roles: ['ghost'] }] }, '/states/0/roles/0'],
    [
      'a transition to an unknown state',
      { name: 'x', states: [{ ...state, next: [{ to: 'nowhere' }] }] },
      '/states/0/next/0/to',
    ],
    ['a capacity of zero', smallestDefinition({ capacity: 0 }), '/capacity'],
    ['a group size of zero', smallestDefinition({ matching: { groupSize: 0 } }), '/matching/groupSize'],
    [
      'a minimum group size above the maximum',
      smallestDefinition({ matching: { groupSize: { min: 3, max: 2 } } }),
      '/matching/groupSize',
    ],
    [
      'a capacity below the group size',
      smallestDefinition({ capacity: 1, matching: { groupSize: 2 } }),
      '/capacity',
    ],
    [
      'a redirect that is not a web address',
      smallestDefinition({ completion: { redirectUrl: 'javascript:alert(1)' } }),
      '/completion/redirectUrl',
    ],
    [
      'a redirect with an unknown placeholder',
      smallestDefinition({ completion: { redirectUrl: 'https://recruiter.example/{{token}}' } }),
      '/completion/redirectUrl',
    ],
    ['a list', [], ''],
  ])(
    '[R23,X4] a definition with %s is refused with the path of the error, when created and when revised',
    async (_, body, path) => {
      const experimentId = await unchanged()
      const options = { token: await token(), params: { experimentId }, body }
      for (const answer of [await create(body), await cast.api.call(experimentRoutes.revise, options)]) {
        expect(refusalOf(answer)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
        expect(issuePathsOf(answer)).toContain(path)
      }
      expect((await read(experimentId)).revision).toBe(1)
    },
  )

  const {
    read: readRoute,
    revise,
    changeStatus: statusRoute,
    export: exportRoute,
    monitor,
  } = experimentRoutes
  test.each(
    [readRoute, revise, statusRoute, exportRoute, monitor].map(
      (route) => [route.method, route.path, route] as const,
    ),
  )('[R9] %s %s of an unknown experiment is EXPERIMENT_NOT_FOUND', async (_method, path, route) => {
    const body = path.endsWith('/status') ? { status: 'recruiting' } : smallestDefinition()
    const answer = await cast.api.call(route, {
      token: await token(),
      params: { experimentId: 'exp_nowhere' },
      ...(route.method === 'GET' ? {} : { body }),
    })
    expect(refusalOf(answer)).toMatchObject({ status: 404, code: 'EXPERIMENT_NOT_FOUND' })
  })

  test.each(Object.values(experimentRoutes).map((route) => [route.method, route.path, route] as const))(
    '[R7] %s %s is forbidden to strangers and participants',
    async (_method, _path, route) => {
      const experimentId = await draft()
      const params = { experimentId, sessionId: `sess_${'A'.repeat(43)}` }
      const options = { params, ...(route.method === 'GET' ? {} : { body: smallestDefinition() }) }
      expect(refusalOf(await cast.api.call(route, options))).toMatchObject({
        status: 401,
        code: 'UNAUTHENTICATED',
      })
      const { token: participant } = await cast.person()
      expect(refusalOf(await cast.api.call(route, { ...options, token: participant }))).toMatchObject({
        status: 403,
        code: 'FORBIDDEN',
      })
    },
  )

  test('[R7] an administrator may do everything that a researcher may', async () => {
    const admin = await cast.api.token('admin-1', ['admin'])
    const created = await cast.api.call(experimentRoutes.create, { token: admin, body: smallestDefinition() })
    expect(created.status).toBe(201)
    expect((await cast.api.call(experimentRoutes.list, { token: admin })).status).toBe(200)
  })
})
