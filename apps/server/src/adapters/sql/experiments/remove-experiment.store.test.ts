import { smallestDefinition } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { aPilot } from '../../../../test/stores/agent-samples.ts'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import { newDefinition, oneDayMs, openExperiment, startOfTime } from '../../../../test/stores/samples.ts'
import { tracesOf } from '../../../../test/stores/traces.ts'
import { newExperimentId } from '../../../kernel/ids.ts'

describeOnBothEngines('deleting an experiment', (engine) => {
  const actor = 'urn:x ada'
  const by = (experimentId: string, now = startOfTime) => ({ experimentId, actor, now })

  test('[X56] nothing is left of a draft, whatever was done with it, except who deleted it', async () => {
    const { database, rows, change } = engine()
    const experimentId = newExperimentId()
    const definition = smallestDefinition()
    await database.experiments.create({ ...by(experimentId), ...newDefinition(definition) })
    await database.experiments.revise({ ...by(experimentId), ...newDefinition(definition) })
    const draft = { version: 0, definition: '{}', basedOn: 2, savedBy: actor }
    await database.drafts.change({ ...by(experimentId), ...draft })
    const share = { user: 'bob', access: 'edit', principal: 'sub urn:x bob' } as const
    await database.accesses.replaceShares({ ...by(experimentId), shares: [share] })
    const tryId = newExperimentId()
    const expiresAt = startOfTime + oneDayMs
    await database.tries.create({ ...by(experimentId), tryId, ...newDefinition(definition), expiresAt })
    const roomIds = await aPilot(database, experimentId)

    const isRemoved = (now: number) => database.experiments.remove(by(experimentId, now))
    expect(await isRemoved(startOfTime)).toEqual({ kind: 'in_use' })
    await change(`update rooms set closed_at = 1 where experiment_id = '${experimentId}'`)
    expect(await isRemoved(startOfTime + 1)).toEqual({ kind: 'removed' })
    expect(await tracesOf(engine(), [experimentId, ...roomIds])).toEqual(['tries'])
    expect(await database.tries.expired(startOfTime + 1, 10)).toEqual([tryId])
    await database.tries.remove(tryId)
    expect(await tracesOf(engine(), [experimentId, tryId])).toEqual([])
    expect(await isRemoved(startOfTime + 2)).toEqual({ kind: 'not_found' })
    const audited = await rows(`select actor from audit_log where action = 'experiment_deleted'`)
    expect(audited).toEqual([{ actor }])
  })

  test('[X56] whatever has recruited stays', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    for (const to of ['recruiting', 'paused', 'closed', 'archived'] as const) {
      await database.experiments.changeStatus({ ...by(experimentId), to })
      expect(await database.experiments.remove(by(experimentId))).toEqual({ kind: 'refused', status: to })
    }
    expect(await database.experiments.find(experimentId)).toMatchObject({ status: 'archived' })
  })
})
