import { afterEach, describe, expect, test } from 'vitest'
import type { HeavyWork } from '../../ports/heavy-work.ts'
import { createHeavyWork, type HeavyWorkOptions } from './heavy-work.ts'
import type { Task } from './messages.ts'
import { startThread } from './thread.ts'

const ample = { checkDefinition: 60_000, dryRun: 60_000, forecast: 60_000 }

/** A real thread in which certain tasks do not begin before they are let go. */
function holding(isHeld: (task: Task) => boolean) {
  const gate = Promise.withResolvers<void>()
  const start: typeof startThread = (limits) => {
    const thread = startThread(limits)
    return {
      ...thread,
      async perform(task) {
        if (isHeld(task)) await gate.promise
        return await thread.perform(task)
      },
    }
  }
  return { start, letGo: gate.resolve }
}

const sound = { name: 'Sound', states: [{ id: 's', components: [] }] }
const crowd = {
  definition: { ...sound, matching: { groupSize: 2, exclusions: [{ same: 'a' }] } },
  arrivals: { people: 20_000, attributes: { a: { x: 1, y: 1 } } },
  seed: 's',
}

describe('work off the event loop', { timeout: 120_000 }, () => {
  let work: HeavyWork | undefined
  const start = (options: HeavyWorkOptions = {}): HeavyWork => {
    work = createHeavyWork(options)
    return work
  }
  afterEach(() => work?.close())

  test('returns what the functions themselves would: warnings, and refusals with their paths', async () => {
    const { checkDefinition } = start()
    const odd = { name: 'Odd', states: [{ id: 's', components: [{ id: 'c', type: 'slidr' }] }] }
    expect(await checkDefinition(odd, 'ann')).toEqual({
      definition: odd,
      warnings: [
        {
          path: '/states/0/components/0/type',
          message: 'unknown component type ‘slidr’; did you mean ‘slider’?',
        },
      ],
    })
    await expect(checkDefinition({ name: 'No states' }, 'ann')).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { issues: [{ path: '/states', message: 'is missing' }] },
    })
  })

  test('[F33] [R60] as many addresses as a definition can hold are checked within the limit', async () => {
    const text = `${'http:'.repeat(3_900)} {{pot}}`
    const components = Array.from({ length: 50 }, (_, index) => ({ id: `t${index}`, type: 'text', text }))
    const definition = { name: 'Addresses', variables: { pot: 0 }, states: [{ id: 's', components }] }
    expect((await start().checkDefinition(definition, 'ann')).warnings).toEqual([])
  })

  test('the event loop keeps running during a dry run', async () => {
    // Its own limit is not what this tests: on a busy machine it may take longer (R41).
    const { dryRun } = start({ timeLimitMs: ample })
    let turns = 0
    let isDone = false
    const turn = () => {
      turns += 1
      if (!isDone) setImmediate(turn)
    }
    setImmediate(turn)
    const { people } = await dryRun({ ...crowd, arrivals: { ...crowd.arrivals, people: 5_000 } }, 'ann')
    isDone = true
    expect(people.arrived).toBe(5_000)
    expect(turns).toBeGreaterThan(100)
  })

  test('[X7] a task that takes too long is refused with a sentence, and the next one gets a new thread', async () => {
    const { dryRun } = start({ timeLimitMs: { ...ample, dryRun: 1 } })
    const tooLong = {
      code: 'VALIDATION_FAILED',
      message: 'The request: takes longer than 0.001 seconds to work through; make it smaller.',
    }
    await expect(dryRun(crowd, 'ann')).rejects.toMatchObject(tooLong)
    await expect(dryRun(crowd, 'ann')).rejects.toMatchObject(tooLong)
  })

  test('[R40,X7] whoever had a check cut off saves behind the others for ten minutes', async () => {
    /** Who is checked on which thread, by the names of the definitions. */
    const threads: string[][] = []
    const recording: typeof startThread = (limits) => {
      const isFirst = threads.length === 0
      // The first one is cut off for certain: it has ended when the task arrives.
      const thread = startThread(isFirst ? { ...limits, checkDefinition: 1 } : limits)
      const names: string[] = []
      threads.push(names)
      async function perform(task: Task): Promise<unknown> {
        const [{ name }] = JSON.parse(task.input)
        names.push(name)
        if (isFirst) await thread.end()
        return await thread.perform(task)
      }
      return { ...thread, perform }
    }
    let now = 0
    const { checkDefinition } = start({ timeLimitMs: ample, start: recording, clock: { now: () => now } })
    const save = (name: string, actor: string) => checkDefinition({ ...sound, name }, actor)
    await expect(save('e1', 'eve')).rejects.toThrow()
    await save('a1', 'ann')
    await save('e2', 'eve')
    await save('a2', 'ann')
    expect(threads).toEqual([['e1'], ['a1', 'a2'], ['e2']])
    now = 10 * 60_000
    await save('e3', 'eve')
    expect(threads).toEqual([['e1'], ['a1', 'a2', 'e3'], ['e2']])
  })

  test('tasks beyond the limit of waiting ones are refused', async () => {
    const { checkDefinition } = start({ maxWaiting: { saving: 2, behind: 2 } })
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => checkDefinition(sound, 'ann')))
    expect(answers.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled', 'fulfilled'],
      ...['rejected', 'rejected'],
    ])
    expect(answers.at(-1)).toMatchObject({ reason: { code: 'UNAVAILABLE' } })
  })

  test('[R40,X7] nobody who saves waits for a dry run, and each researcher has at most two', async () => {
    const { start: startHolding, letGo } = holding(({ name }) => name === 'dryRun')
    const { checkDefinition, dryRun } = start({ maxWaiting: { saving: 1, behind: 2 }, start: startHolding })
    const small = { ...crowd, arrivals: { people: 10 } }
    const order: string[] = []
    const flood = Promise.allSettled(
      ['eve', 'eve', 'eve', 'eve', 'mal', 'mal', 'mal'].map((actor) =>
        dryRun(small, actor).then(() => order.push(`dry run of ${actor}`)),
      ),
    )
    await checkDefinition(sound, 'ann').then(() => order.push('check'))
    letGo()
    const answers = await flood
    expect(order).toEqual(['check', 'dry run of eve', 'dry run of mal', 'dry run of eve'])
    const refused = answers.filter(({ status }) => status === 'rejected')
    expect(refused.length).toBe(4)
    for (const one of refused) expect(one).toMatchObject({ reason: { code: 'UNAVAILABLE' } })
    // Finished ones no longer count.
    expect(await dryRun(small, 'eve')).toMatchObject({ people: { arrived: 10 } })
  })

  test('[R40,X7] researchers who save take turns, and one who floods loses places to the others', async () => {
    const { checkDefinition } = start({ maxWaiting: { saving: 4, behind: 1 } })
    const order: string[] = []
    const save = (actor: string) =>
      checkDefinition(sound, actor).then(
        () => order.push(actor),
        ({ code }) => order.push(`${actor}: ${code}`),
      )
    await Promise.all(['eve', 'eve', 'eve', 'eve', 'eve', 'eve', 'ann', 'bob'].map(save))
    expect(order.filter((one) => one.includes(':'))).toEqual(Array(3).fill('eve: UNAVAILABLE'))
    expect(order.filter((one) => !one.includes(':'))).toEqual(['eve', 'ann', 'bob', 'eve', 'eve'])
  })

  test('closing refuses waiting tasks', async () => {
    const { dryRun, close } = start()
    const waiting = Promise.allSettled([dryRun(crowd, 'ann'), dryRun(crowd, 'ann')])
    await close()
    expect(await waiting).toMatchObject([
      { reason: { code: 'UNAVAILABLE' } },
      { reason: { code: 'UNAVAILABLE' } },
    ])
  })
})
