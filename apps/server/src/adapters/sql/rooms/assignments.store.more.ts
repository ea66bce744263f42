import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import { completeRequest, joined, openExperiment } from '../../../../test/stores/samples.ts'

const states = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, components: [] }))
const blocks = [
  { id: 'first', states: ['a', 'b', 'c'], order: 'latin_square' as const },
  { id: 'second', states: ['d', 'e'], order: 'latin_square' as const },
]

/** As many transactions as the store may have under way at once, and more. */
const atOnce = 50

describeOnBothEngines('assignments of 600 people', (engine) => {
  test('[RM150,R89] come in every combination alike, and after half a condition dropped out, the completed ones do', async () => {
    const { database } = engine()
    const conditions = { values: ['x', 'y'], balance: 'completed' as const }
    const experimentId = await openExperiment(database, { conditions, states, blocks })
    async function begin() {
      const session = await joined(database, experimentId)
      const room = await database.rooms.claim(session.roomId ?? '', 'pod-0', 'seed')
      const cell = JSON.stringify([room?.assignment?.condition, room?.assignment?.rows])
      return { sessionId: session.sessionId, condition: room?.assignment?.condition, cell }
    }
    const beginMany = async (people: number) => {
      const found = []
      for (let left = people; left > 0; left -= atOnce)
        found.push(...(await Promise.all(Array.from({ length: Math.min(left, atOnce) }, begin))))
      return found
    }
    type Person = Awaited<ReturnType<typeof begin>>
    const end = async (people: Person[], outcome: string) => {
      for (let done = 0; done < people.length; done += atOnce)
        await Promise.all(
          people
            .slice(done, done + atOnce)
            .map(({ sessionId }) => database.sessions.complete(completeRequest(sessionId, { outcome }))),
        )
    }
    const sizes = (people: Person[]): number[] =>
      [...Map.groupBy(people, ({ cell }) => cell).values()].map((same) => same.length)

    const first = await beginMany(600)
    const expected = 600 / 24
    expect(sizes(first)).toHaveLength(24)
    const chiSquare = sizes(first).reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    // By chance alone it would be 23 on average; nobody was lost, so no cell is off by more than one.
    expect(chiSquare).toBeLessThan(1)

    const inX = first.filter(({ condition }) => condition === 'x')
    const lost = inX.filter((_, index) => index % 2 === 0)
    const kept = first.filter((one) => !lost.includes(one))
    await end(lost, 'ABANDONED')
    const second = await beginMany(lost.length)
    expect(second.every(({ condition }) => condition === 'x')).toBe(true)
    const completed = [...kept, ...second]
    await end(completed, 'SUCCESS')
    expect(sizes(completed)).toHaveLength(24)
    expect(Math.max(...sizes(completed)) - Math.min(...sizes(completed))).toBeLessThanOrEqual(1)
  })
})
