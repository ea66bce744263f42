import { describe, expect, it } from 'vitest'
import { isAllRated, positionDue, ratedUntil } from './asked-positions.ts'
import { createStage, mediaFor } from './stage.ts'

describe('the stage', () => {
  it('finds the named medium, else the only one', () => {
    const stage = createStage()
    expect(mediaFor(stage.media(), undefined)).toBeUndefined()
    const leave = stage.enter({ id: 'film', element: null })
    expect(mediaFor(stage.media(), undefined)?.id).toBe('film')
    stage.enter({ id: 'tone', element: null })
    expect(mediaFor(stage.media(), undefined)).toBeUndefined()
    expect(mediaFor(stage.media(), 'tone')?.id).toBe('tone')
    leave()
    expect(mediaFor(stage.media(), 'film')).toBeUndefined()
  })

  it('notifies of what comes and goes', () => {
    const stage = createStage()
    let told = 0
    const stop = stage.subscribe(() => told++)
    stage.enter({ id: 'film', element: null })()
    stage.hold('film')()
    expect(told).toBe(4)
    stop()
    stage.hold('film')
    expect(told).toBe(4)
  })

  it('holds a medium until the last hold is released', () => {
    const stage = createStage()
    const first = stage.hold('film')
    const second = stage.hold('film')
    first()
    first()
    expect(stage.isHeld('film')).toBe(true)
    expect(stage.isHeld('tone')).toBe(false)
    second()
    expect(stage.isHeld('film')).toBe(false)
  })

  it('reports the end of a medium after its own guards, and a guard that fails delays nothing', async () => {
    const stage = createStage()
    const order: string[] = []
    const rated = Promise.withResolvers<void>()
    stage.guardEnd('film', () => rated.promise.then(() => order.push('rated')))
    stage.guardEnd('film', () => Promise.reject(new Error('no network')))
    stage.guardEnd('tone', () => new Promise(() => undefined))
    const ended = stage.beforeEnd('film').then(() => order.push('ended'))
    rated.resolve()
    await ended
    expect(order).toEqual(['rated', 'ended'])
  })
})

describe('positions at which a rating is asked for', () => {
  const at = (positionMs: number, hasEnded = false) => ({ positionMs, hasEnded })

  it('are due in their order, once they are reached and until they are rated', () => {
    const positions = [60_000, 30_000]
    expect(positionDue(positions, [], at(29_999))).toBeUndefined()
    expect(positionDue(positions, [], at(30_010))).toBe(30_000)
    expect(positionDue(positions, [], at(70_000))).toBe(30_000)
    expect(positionDue(positions, [30_000], at(70_000))).toBe(60_000)
    expect(positionDue(positions, [30_000, 60_000], at(70_000))).toBeUndefined()
  })

  it('beyond the end are asked for at the end', () => {
    expect(positionDue([99_000], [], at(5_000))).toBeUndefined()
    expect(positionDue([99_000], [], at(5_000, true))).toBe(99_000)
  })

  it('are only the end when there are none', () => {
    expect(positionDue(undefined, [], at(5_000))).toBeUndefined()
    expect(positionDue(undefined, [], at(5_000, true))).toBe(5_000)
    expect(positionDue(undefined, [5_000], at(5_000, true))).toBeUndefined()
  })

  it('before the newest rating count as rated after a reload', () => {
    expect(ratedUntil([30, 10, 20], { atMs: 20, value: 1 })).toEqual([10, 20])
    expect(ratedUntil([30, 10, 20], undefined)).toEqual([])
    expect(ratedUntil(undefined, { atMs: 5_000, value: 1 })).toEqual([5_000])
    expect(isAllRated([10, 20], [10])).toBe(false)
    expect(isAllRated([10, 20], [20, 10])).toBe(true)
    expect(isAllRated(undefined, [])).toBe(false)
  })
})
