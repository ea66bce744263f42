import { experimentRoutes, identityRoutes } from '@atrium/contract'
import { describeInOneMode, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf } from './cast.ts'
import { refusalOf } from './refusal.ts'

const back = (code: string) => `https://app.prolific.com/submissions/complete?cc=${code}`

describeInOneMode('recruiting sites', (world) => {
  const cast = castOf(world)
  const recruiting = {
    prolific: {
      codes: { SUCCESS: 'C-DONE', SCREENED_OUT: 'C-OUT', QUOTA_FULL: 'C-FULL', STUDY_CLOSED: 'C-SHUT' },
    },
  }
  const arrival = (id: string) => ({ PROLIFIC_PID: id, STUDY_ID: 's1', SESSION_ID: `visit-${id}` })
  const asGuest = (experimentId: string, id: string) =>
    cast.api.call(identityRoutes.guest, {
      body: { experimentId, externalId: `prolific:${id}`, metadata: arrival(id) },
    })

  test('[RC1] an outcome leads back with its code, and so does coming back later', async () => {
    const experimentId = await cast.open({ recruiting })
    const { idToken } = succeeded(await asGuest(experimentId, 'p-1'))
    const joined = succeeded(await cast.join(idToken, { experimentId, metadata: arrival('p-1') })).data
    const { data } = succeeded(await cast.complete(joined, { completionCode: 'SCREENED_OUT' }))
    expect(data).toMatchObject({ completionCode: 'C-OUT', redirectUrl: back('C-OUT') })
    expect(refusalOf(await cast.join(idToken, { experimentId, metadata: arrival('p-1') }))).toMatchObject({
      details: { reason: 'already_completed', outcome: 'SCREENED_OUT', redirectUrl: back('C-OUT') },
    })
  })

  test('[RC2] a full or closed study sends people back with the code for that, before they have joined', async () => {
    const experimentId = await cast.open({ recruiting, capacity: 1 })
    await cast.participant(experimentId)
    const { idToken } = succeeded(await asGuest(experimentId, 'p-2'))
    const full = refusalOf(await cast.join(idToken, { experimentId, metadata: arrival('p-2') }))
    expect(full).toMatchObject({
      code: 'EXPERIMENT_CLOSED',
      details: {
        reason: 'full',
        outcome: 'QUOTA_FULL',
        completionCode: 'C-FULL',
        redirectUrl: back('C-FULL'),
      },
    })
    const { token } = await cast.researcher()
    const close = { token, params: { experimentId }, body: { status: 'closed' } }
    succeeded(await cast.api.call(experimentRoutes.changeStatus, close))
    const shut = {
      code: 'EXPERIMENT_CLOSED',
      details: {
        reason: 'status',
        outcome: 'STUDY_CLOSED',
        completionCode: 'C-SHUT',
        redirectUrl: back('C-SHUT'),
      },
    }
    expect(refusalOf(await cast.join(idToken, { experimentId, metadata: arrival('p-2') }))).toMatchObject(
      shut,
    )
    expect(refusalOf(await asGuest(experimentId, 'p-3'))).toMatchObject(shut)
    const elsewhere = await cast.api.call(identityRoutes.guest, { body: { experimentId } })
    expect(refusalOf(elsewhere)).toMatchObject({ details: { reason: 'status' } })
    expect(refusalOf(elsewhere).details).not.toHaveProperty('completionCode')
  })

  test('[RC4] nobody joins in a preview at Mechanical Turk', async () => {
    const experimentId = await cast.open({ recruiting: { mturk: {} } })
    const { idToken } = succeeded(await cast.api.call(identityRoutes.guest, { body: { experimentId } }))
    const join = (assignmentId: string) =>
      cast.join(idToken, { experimentId, metadata: { workerId: 'w', assignmentId } })
    expect(refusalOf(await join('ASSIGNMENT_ID_NOT_AVAILABLE'))).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { issues: [{ path: '/metadata/assignmentId' }] },
    })
    expect((await join('a-1')).status).toBe(200)
  })
})
