import { type OtlpReceiver, startOtlpReceiver, waitUntil } from '@atrium/testkit'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { inSpan, openTracing } from './open-tracing.ts'
import type { Tracing } from './tracing.ts'

let receiver: OtlpReceiver
beforeEach(async () => {
  receiver = await startOtlpReceiver()
})
afterEach(() => receiver.stop())

async function open({ share = 1, troubles = [] as unknown[] } = {}): Promise<Tracing> {
  const options = { endpoint: `${receiver.url}/`, headers: { authorization: 'Bearer k' }, share }
  const onTrouble = (error: unknown) => void troubles.push(error)
  const tracing = await openTracing(options, { service: 'test', version: '1', onTrouble })
  if (!tracing) throw new Error('traces are off')
  onTestFinished(() => tracing.stop())
  return tracing
}

const spanNamed = (name: string) => receiver.spans().find((span) => span.name === name)

describe('spans', () => {
  test('without a collector there is no tracing, and the work is just done', async () => {
    const onTrouble = () => undefined
    expect(await openTracing(undefined, { service: 'test', version: '1', onTrouble })).toBeUndefined()
    expect(await inSpan(undefined, ['work'], async (span) => [span, 7])).toEqual([undefined, 7])
  })

  test('are below the one around them, and are sent with the headers of the collector', async () => {
    const tracing = await open()
    await inSpan(tracing, ['outer', { kind: 'server', facts: { size: 3 } }], async () => {
      expect(tracing.isWithin()).toBe(true)
      await inSpan(tracing, ['inner'], async (span) => span?.add({ found: true }))
      await inSpan(tracing, ['apart', { isRoot: true }], async () => undefined)
    })
    expect(tracing.isWithin()).toBe(false)
    await tracing.stop()
    const [outer, inner, apart] = [spanNamed('outer'), spanNamed('inner'), spanNamed('apart')]
    expect(outer).toMatchObject({ service: 'test', parentSpanId: undefined, attributes: { size: 3 } })
    expect(inner).toMatchObject({ traceId: outer?.traceId, parentSpanId: outer?.spanId })
    expect(inner?.attributes).toEqual({ found: true })
    expect(apart?.parentSpanId).toBeUndefined()
    expect(apart?.traceId).not.toBe(outer?.traceId)
    expect(receiver.headers()[0]?.authorization).toBe('Bearer k')
  })

  test('that end leave nothing to those who go on', async () => {
    const tracing = await open()
    const { promise: later, resolve: goOn } = Promise.withResolvers<void>()
    let after: Promise<boolean> | undefined
    await inSpan(tracing, ['request'], async () => {
      after = later.then(() => tracing.isWithin())
    })
    goOn()
    expect(await after).toBe(false)
  })

  test('continue a well-formed trace of another program, and ignore anything else', async () => {
    const tracing = await open()
    const traceId = 'a'.repeat(32)
    const parent = `00-${traceId}-${'b'.repeat(16)}-01`
    expect(tracing.start('told', { parent }).traceId).toBe(traceId)
    const zeros = `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`
    for (const odd of ['', 'x', zeros, parent.toUpperCase(), `${parent}-more`, parent.replace('00-', '01-')])
      expect(tracing.start('untold', { parent: odd }).traceId).not.toBe(traceId)
  })

  test('that fail say with which code, never with which words', async () => {
    const tracing = await open()
    const failing = async () => {
      throw Object.assign(new Error('what somebody wrote'), { code: 'NOT_FOUND' })
    }
    await expect(inSpan(tracing, ['refused'], failing)).rejects.toThrow('what somebody wrote')
    await tracing.stop()
    expect(spanNamed('refused')).toMatchObject({ hasFailed: true })
    expect(receiver.received()).toContain('NOT_FOUND')
    expect(receiver.received()).not.toContain('what somebody wrote')
  })

  test('are recorded to the configured share, unless the other program has decided', async () => {
    const tracing = await open({ share: 0 })
    tracing.start('left out').end()
    tracing.start('wanted', { parent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }).end()
    await tracing.stop()
    expect(receiver.spans().map(({ name }) => name)).toEqual(['wanted'])
  })
})

describe('a collector', () => {
  test('that refuses is reported once, and once when it is back', async () => {
    const troubles: unknown[] = []
    const tracing = await open({ troubles })
    receiver.behave('refuse')
    const isReported = (count: number) => () => {
      tracing.start('one').end()
      return troubles.length === count || `${troubles.length} reports`
    }
    await waitUntil(isReported(1))
    const before = receiver.requestCount()
    await waitUntil(() => {
      tracing.start('one').end()
      return receiver.requestCount() > before + 1 || 'it tries again'
    })
    expect(troubles).toHaveLength(1)
    receiver.behave('accept')
    await waitUntil(isReported(2))
    expect(troubles[1]).toBeUndefined()
  })

  test('that hangs gets one request at a time, and spans beyond the queue are dropped', async () => {
    const tracing = await open()
    receiver.behave('hang')
    tracing.start('first').end()
    await waitUntil(() => receiver.requestCount() === 1 || 'nothing has been sent')
    receiver.behave('accept')
    for (let at = 0; at < 10_000; at++) tracing.start(`span ${at}`).end()
    expect(receiver.requestCount()).toBe(1)
    await waitUntil(() => receiver.spans().length >= 2_048 || `${receiver.spans().length} spans`)
    tracing.start('last').end()
    await waitUntil(() => spanNamed('last') !== undefined || 'the last span is missing')
    expect(receiver.spans()).toHaveLength(2_049)
  })

  test('that hangs does not keep a program from stopping', async () => {
    const tracing = await open()
    receiver.behave('hang')
    tracing.start('one').end()
    await tracing.stop()
    expect(receiver.spans()).toEqual([])
  })
})
