import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import { payBonus } from '../../../modules/recruiting/bonuses.ts'

describeOnBothEngines('the store of recruiting', (engine) => {
  const store = () => engine().database.recruiting
  const acting = (now: number) => ({ experimentId: `exp_${randomUUID()}`, actor: 'urn:x ada', now })
  const newBonus = (staleBefore = 0) => ({
    studyId: randomUUID(),
    submissionId: randomUUID(),
    amount: 125,
    staleBefore,
  })

  test('[RC8] of many who claim a bonus, one may pay it', async () => {
    const bonus = newBonus()
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => store().claimBonus(acting(1_000), bonus)),
    )
    expect(claims.filter((claim) => claim === 'claimed')).toHaveLength(1)
    expect(claims.find((claim) => claim !== 'claimed')).toEqual({
      submissionId: bonus.submissionId,
      amount: 125,
      status: 'preparing',
      changedAt: 1_000,
    })
  })

  test('[RC8] an old claim is taken over only if nothing was asked to pay, and its owner then cannot pay', async () => {
    const bonus = newBonus()
    const { submissionId } = bonus
    expect(await store().claimBonus(acting(1_000), bonus)).toBe('claimed')
    expect(await store().claimBonus(acting(2_000), { ...bonus, staleBefore: 1_001 })).toBe('claimed')
    const pay = (claimedAt: number) =>
      store().markPaying({ submissionId, paymentId: 'bp1', claimedAt, now: 2_001 })
    expect([await pay(1_000), await pay(2_000), await pay(2_000)]).toEqual([false, true, false])
    expect(await store().claimBonus(acting(9_000), { ...bonus, staleBefore: 8_000 })).toMatchObject({
      status: 'paying',
    })
    await store().markPaid(acting(9_001), submissionId)
    await store().dropBonus(acting(9_002), { submissionId, status: 'paying', changedAt: 2_001 })
    expect(await store().bonus(bonus.studyId, submissionId)).toMatchObject({ status: 'done' })
    expect(await store().bonus('another study', submissionId)).toBeUndefined()
  })

  test('[RC8] whoever wakes up after others have begun again takes nothing back from them', async () => {
    const bonus = newBonus()
    const { submissionId, studyId } = bonus
    await store().claimBonus(acting(1_000), bonus)
    await store().claimBonus(acting(2_000), { ...bonus, staleBefore: 1_001 })
    const first = { submissionId, status: 'preparing', changedAt: 1_000 } as const
    await store().dropBonus(acting(2_001), first)
    expect(await store().bonus(studyId, submissionId)).toMatchObject({
      status: 'preparing',
      changedAt: 2_000,
    })
    await store().markPaying({ submissionId, paymentId: 'bp2', claimedAt: 2_000, now: 2_002 })
    const stale = { submissionId, status: 'paying', changedAt: 1_500 } as const
    await store().dropBonus(acting(2_003), first)
    await store().dropBonus(acting(2_003), stale)
    await store().markUnknown(acting(2_003), stale)
    expect(await store().bonus(studyId, submissionId)).toMatchObject({ status: 'paying', changedAt: 2_002 })
    await store().dropBonus(acting(2_004), { submissionId, status: 'paying', changedAt: 2_002 })
    expect(await store().bonus(studyId, submissionId)).toBeUndefined()
  })

  test('[R48] what was paid stays on record when somebody is deleted, so it does not name their submission', async () => {
    const bonus = newBonus()
    const { submissionId, studyId } = bonus
    const by = acting(1_000)
    await store().claimBonus(by, bonus)
    await store().markPaying({ submissionId, paymentId: 'bp1', claimedAt: 1_000, now: 1_001 })
    await store().markPaid(by, submissionId)
    const other = newBonus()
    await store().claimBonus(by, other)
    await store().markUnknown(by, { ...other, status: 'preparing', changedAt: 1_000 })
    await store().dropBonus(by, { ...other, status: 'unknown', changedAt: 1_000 })
    const audited = await engine().rows(`select * from audit_log where subject = '${by.experimentId}'`)
    expect(audited).toHaveLength(5)
    const kept = JSON.stringify([audited, await engine().rows('select * from prolific_bonuses')])
    for (const id of [submissionId, other.submissionId]) expect(kept).not.toContain(id)
    expect(await store().bonuses(studyId, [other.submissionId, submissionId])).toMatchObject([
      { submissionId, status: 'done' },
    ])
  })

  test('[RC8] a payment that could only begin late does not begin', async () => {
    const { studyId, submissionId, amount } = newBonus()
    const asked: string[] = []
    const pay = (times: number[]) =>
      payBonus(
        { store: store(), clock: { now: () => times.shift() ?? 900_000 } },
        {
          prepareBonus: async () => 'bp1',
          payBonus: async (paymentId) => void asked.push(paymentId),
        },
        { experimentId: 'exp_1', actor: 'urn:x ada' },
        { studyId, submissionId, personId: 'person-1', amount },
      )
    await expect(pay([1_000, 1_001, 61_002, 61_003])).rejects.toMatchObject({ code: 'PROLIFIC_UNAVAILABLE' })
    expect(asked).toEqual([])
    expect(await pay([70_000, 70_001, 70_002, 70_003])).toEqual({ amount, status: 'done' })
    expect(asked).toEqual(['bp1'])
  })

  test('[RC6] a token is replaced, sealed again and deleted; the audit log has no part of it', async () => {
    const by = acting(1_000)
    const { experimentId } = by
    await store().keepToken(by, { sealedToken: 'v1.old.canary-1', tokenHint: 'abcd' })
    await store().keepToken(by, { sealedToken: 'v1.old.canary-2', tokenHint: 'efgh' })
    const found = await store().sealedOtherwise({ prefix: 'v1.new.', after: '', limit: 1_000 })
    expect(found).toContainEqual({ credentialId: experimentId, sealedKey: 'v1.old.canary-2' })
    const reseal = (from: string, to: string) => store().reseal({ credentialId: experimentId, from, to })
    await reseal('v1.old.canary-2', 'v1.new.canary-3')
    await reseal('v1.old.canary-2', 'v1.new.late')
    expect(await store().token(experimentId)).toEqual({ sealedToken: 'v1.new.canary-3', tokenHint: 'efgh' })
    await store().keepToken(by, null)
    expect(await store().token(experimentId)).toBeUndefined()
    const rows = await engine().rows(`select * from audit_log where subject = '${experimentId}'`)
    expect(rows).toHaveLength(3)
    expect(JSON.stringify(rows)).not.toContain('canary')
  })
})
