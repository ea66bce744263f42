import { experimentRoutes, type RecruitPage, recruitmentRoutes } from '@atrium/contract'
import { describeInOneMode, numberedEvent, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { readRows } from '../rooms/rows.ts'
import { castOf, upTo } from './cast.ts'
import { issuePathsOf, refusalOf } from './refusal.ts'

describeInOneMode('recruiting ids', (world) => {
  const cast = castOf(world)
  const token = async () => (await cast.researcher()).token
  const list = async (experimentId: string, query: Record<string, string> = {}) =>
    await cast.api.call(recruitmentRoutes.list, { token: await token(), params: { experimentId }, query })

  test('[X31] are listed with the outcome of each participant, and are in no export', async () => {
    const experimentId = await cast.open({ completion: { codes: { SUCCESS: 'PAID-1' } } })
    const done = await cast.participant(experimentId, { PROLIFIC_PID: 'prolific-aaa', source: 'prolific' })
    const back = await cast.participant(experimentId, { PROLIFIC_PID: 'prolific-bbb' })
    await cast.participant(experimentId)
    succeeded(await cast.send(done.session, [numberedEvent(1)]))
    succeeded(await cast.complete(done.session))
    // A reload without the query parameters: what the first join sent is kept.
    await back.join(experimentId)
    const { participants, next } = succeeded(await list(experimentId))
    expect(next).toBeNull()
    expect(participants).toMatchObject([
      {
        participantId: done.session.participantId,
        metadata: { PROLIFIC_PID: 'prolific-aaa', source: 'prolific' },
        status: 'completed',
        outcome: 'SUCCESS',
        completionCode: 'PAID-1',
        revision: 1,
        completedAt: expect.any(Number),
      },
      {
        participantId: back.session.participantId,
        metadata: { PROLIFIC_PID: 'prolific-bbb' },
        status: 'active',
        outcome: null,
        completionCode: null,
        completedAt: null,
      },
      { metadata: {}, status: 'active' },
    ])
    const exported = await cast.api.call(experimentRoutes.export, {
      token: await token(),
      params: { experimentId },
    })
    expect(exported.text).toContain(done.session.participantId)
    expect(exported.text).not.toContain('prolific')
  })

  test('[R38] are listed with the time of each participant’s consent', async () => {
    const experimentId = await cast.open({ consent: { text: 'Your answers are stored.' } })
    const { session } = await cast.participant(experimentId)
    await cast.participant(experimentId)
    const { consentedAt } = succeeded(await list(experimentId)).participants[0] ?? {}
    expect(consentedAt).toBeNull()
    succeeded(await cast.send(session, [{ type: 'consent_given', timestamp: 1_700_000_000_000, data: {} }]))
    expect(succeeded(await list(experimentId)).participants).toMatchObject([
      { consentedAt: expect.any(Number) },
      { consentedAt: null },
    ])
  })

  test('[X31] are paged, with everyone listed once, and every access is audited', async () => {
    const experimentId = await cast.open()
    const joined: string[] = []
    for (const number of upTo(5)) {
      const { session } = await cast.participant(experimentId, { number })
      joined.push(session.participantId)
    }
    const seen: string[] = []
    for (let after: string | null = ''; after !== null; ) {
      const page: RecruitPage = succeeded(
        await list(experimentId, { limit: '2', ...(after !== '' && { after }) }),
      )
      seen.push(...page.participants.map(({ participantId }) => participantId))
      after = page.next
    }
    expect(seen).toEqual(joined)
    const looks = await readRows(
      world(),
      `select details from audit_log where action = 'recruiting_ids_read' and subject = '${experimentId}'`,
    )
    expect(looks.map(({ details }) => JSON.parse(String(details)).participants).sort()).toEqual([1, 2, 2])
    expect(issuePathsOf(await list(experimentId, { after: 'somewhere' }))).toEqual(['/after'])
    expect(issuePathsOf(await list(experimentId, { limit: '501' }))).toEqual(['/limit'])
    expect(refusalOf(await list('exp_nothing'))).toMatchObject({ status: 404, code: 'EXPERIMENT_NOT_FOUND' })
  })
})
