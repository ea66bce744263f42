import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'

describeOnBothEngines('the store of drafts', (engine) => {
  const store = () => engine().database.drafts
  const written = (definition: string | null, version: number, experimentId: string) => ({
    experimentId,
    version,
    definition,
    basedOn: 1,
    savedBy: 'urn:x ada',
    now: 1_000 + version,
  })

  test('[X55] a draft is kept as it was written', async () => {
    const experimentId = `exp_${randomUUID()}`
    expect(await store().find(experimentId)).toBeUndefined()
    const definition = JSON.stringify({ name: '\0 \ud800 “quotes”', states: [] })
    expect(await store().change(written(definition, 0, experimentId))).toBe('changed')
    expect(await store().find(experimentId)).toEqual({
      version: 1,
      definition,
      basedOn: 1,
      savedBy: 'urn:x ada',
      savedAt: 1_000,
    })
  })

  test('[X55] of many who begin or continue at the same version, one saves', async () => {
    const experimentId = `exp_${randomUUID()}`
    for (const version of [0, 1, 2]) {
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, at) => store().change(written(`${at}`, version, experimentId))),
      )
      expect(outcomes.filter((outcome) => outcome === 'changed')).toHaveLength(1)
      expect(await store().find(experimentId)).toMatchObject({ version: version + 1 })
    }
  })

  test('[X55] after a draft was discarded no version occurs again', async () => {
    const experimentId = `exp_${randomUUID()}`
    await store().change(written('1', 0, experimentId))
    expect(await store().change(written(null, 1, experimentId))).toBe('changed')
    expect(await store().find(experimentId)).toMatchObject({ version: 2, definition: null })
    expect(await store().change(written('2', 0, experimentId))).toBe('conflict')
    expect(await store().change(written('2', 1, experimentId))).toBe('conflict')
    expect(await store().change(written('2', 2, experimentId))).toBe('changed')
  })
})
