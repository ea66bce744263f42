import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import { joined, openExperiment, startOfTime } from '../../../../test/stores/samples.ts'
import { maxPages, positionAt, readWholePeople } from '../../../modules/exports/paged-rows.ts'
import { stateRows } from '../../../modules/exports/tables/state-rows.ts'

describeOnBothEngines('a page of whole people', (engine) => {
  test('[D18] reads a bounded number of those whom the filters leave out, and misses nobody', async () => {
    const { database, change } = engine()
    const experimentId = await openExperiment(database)
    const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)'
    const at = `${startOfTime} + i`
    const id = (kind: string) => `'${kind}_${experimentId.slice(-12)}_' || i`
    await change(`insert into participants (participant_id, experiment_id, revision, role, joined_at)
      ${numbers} select ${id('part')}, '${experimentId}', 1, 'participant', ${at} from n`)
    await change(`insert into sessions (session_id, participant_id, status, created_at, last_activity_at, expires_at,
        final_state_unknown, missing_events)
      ${numbers} select ${id('sess')}, ${id('part')}, 'active', ${at}, ${at}, ${at}, 0, 0 from n`)
    await change(
      `insert into event_streams (session_id, last_seq, sealed) ${numbers} select ${id('sess')}, 0, 0 from n`,
    )
    const completed: string[] = []
    for (const now of [startOfTime + 50, startOfTime + 2_000]) {
      const { participantId } = await joined(database, experimentId, { now })
      await change(`update participants set completed_at = ${now} where participant_id = '${participantId}'`)
      completed.push(participantId)
    }
    const filters = { joinedFrom: null, joinedBefore: null, revision: null, status: 'completed' } as const
    const found: string[] = []
    let from: Awaited<ReturnType<typeof positionAt>> | null = null
    for (;;) {
      let reads = 0
      const { plan, parts, sessionOf } = database.exports
      const store: Parameters<typeof readWholePeople>[0] = {
        sessionOf,
        plan,
        async parts(asked) {
          reads++
          const page = await parts(asked)
          found.push(...page.map(({ session }) => session.participantId))
          return page
        },
      }
      const page = await readWholePeople(
        store,
        { experimentId, source: 'people', filters },
        stateRows(),
        from,
      )
      expect(reads).toBeLessThanOrEqual(maxPages)
      if (page.next === null) break
      from = await positionAt(database.exports, page.next)
    }
    expect(found).toEqual(completed)
  })
})
