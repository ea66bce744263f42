import { afterEach, describe, expect, test } from 'vitest'
import type { HeavyWork } from '../../ports/heavy-work.ts'
import { createHeavyWork, type HeavyWorkOptions } from './heavy-work.ts'

const sound = { name: 'Sound', states: [{ id: 's', components: [] }] }
const crowd = {
  definition: { ...sound, matching: { groupSize: 2, exclusions: [{ same: 'a' }] } },
  arrivals: { people: 20_000, attributes: { a: { x: 1, y: 1 } } },
  seed: 's',
}

describe('work beside the event loop', { timeout: 60_000 }, () => {
  let work: HeavyWork | undefined
  const start = (options: HeavyWorkOptions = {}): HeavyWork => {
    work = createHeavyWork(options)
    return work
  }
  afterEach(() => work?.close())

  test('gives what the functions themselves would: warnings, and refusals with their places', async () => {
    const { checkDefinition } = start()
    const odd = { name: 'Odd', states: [{ id: 's', components: [{ id: 'c', type: 'slidr' }] }] }
    expect(await checkDefinition(odd)).toEqual({
      definition: odd,
      warnings: [
        {
          path: '/states/0/components/0/type',
          message: '‘slidr’ is not a known component type; did you mean ‘slider’?',
        },
      ],
    })
    await expect(checkDefinition({ name: 'No states' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { issues: [{ path: '/states', message: 'is missing' }] },
    })
  })

  test('the event loop goes on while a dry run is played', async () => {
    const { dryRun } = start()
    let turns = 0
    let isDone = false
    const turn = () => {
      turns += 1
      if (!isDone) setImmediate(turn)
    }
    setImmediate(turn)
    const { people } = await dryRun(crowd)
    isDone = true
    expect(people.arrived).toBe(20_000)
    expect(turns).toBeGreaterThan(100)
  })

  test('what takes too long is refused with a sentence, and the next task has a new thread', async () => {
    const { dryRun, checkDefinition } = start({ timeLimitMs: 1 })
    await expect(dryRun(crowd)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: 'The request: takes longer than 0.001 seconds to work through; make it smaller.',
    })
    // Refused in time or answered, but not left alone.
    const next = await checkDefinition(sound).catch((error: unknown) => error)
    expect(next).toEqual(
      expect.toSatisfy((value) => 'definition' in value || value.code === 'VALIDATION_FAILED'),
    )
  })

  test('more than may wait are told to come back', async () => {
    const { checkDefinition } = start({ mostWaiting: 2 })
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => checkDefinition(sound)))
    expect(answers.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled', 'fulfilled'],
      ...['rejected', 'rejected'],
    ])
    expect(answers.at(-1)).toMatchObject({ reason: { code: 'UNAVAILABLE' } })
  })

  test('whoever saves comes before dry runs that wait', async () => {
    const { checkDefinition, dryRun } = start()
    const order: string[] = []
    const small = { ...crowd, arrivals: { people: 10 } }
    await Promise.all([
      dryRun(small).then(() => order.push('first dry run')),
      dryRun(small).then(() => order.push('second dry run')),
      checkDefinition(sound).then(() => order.push('check')),
    ])
    expect(order).toEqual(['first dry run', 'check', 'second dry run'])
  })

  test('closing refuses what waits', async () => {
    const { dryRun, close } = start()
    const waiting = Promise.allSettled([dryRun(crowd), dryRun(crowd)])
    await close()
    expect(await waiting).toMatchObject([
      { reason: { code: 'UNAVAILABLE' } },
      { reason: { code: 'UNAVAILABLE' } },
    ])
  })
})
