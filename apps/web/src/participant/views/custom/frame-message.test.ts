import { describe, expect, it } from 'vitest'
import { frameMessageIn } from './frame-message.ts'

describe('messages from the frame', () => {
  it('are read as the contract describes them', () => {
    expect(frameMessageIn({ atrium: 'ready' })).toEqual({ kind: 'ready' })
    expect(frameMessageIn({ atrium: 'respond', value: { a: [1] } })).toEqual({
      kind: 'respond',
      value: { a: [1] },
    })
    expect(frameMessageIn({ atrium: 'resize', height: 120.4 })).toEqual({ kind: 'resize', height: 121 })
  })

  it('contain only JSON, whatever windows can send each other', () => {
    const circle: Record<string, unknown> = {}
    circle.self = circle
    expect(frameMessageIn({ atrium: 'respond', value: circle })).toEqual({
      kind: 'respond',
      value: undefined,
    })
    expect(frameMessageIn({ atrium: 'respond', value: new Date(0) })).toEqual({
      kind: 'respond',
      value: '1970-01-01T00:00:00.000Z',
    })
  })

  it('never make the frame taller than the limit', () => {
    expect(frameMessageIn({ atrium: 'resize', height: 1e9 })).toEqual({ kind: 'resize', height: 10_000 })
    expect(frameMessageIn({ atrium: 'resize', height: -1 })).toBeUndefined()
    expect(frameMessageIn({ atrium: 'resize', height: Number.NaN })).toBeUndefined()
  })

  it('of other kinds are ignored', () => {
    for (const other of [null, 'ready', { type: 'ready' }, { atrium: 'init' }, [1]])
      expect(frameMessageIn(other)).toBeUndefined()
  })
})
