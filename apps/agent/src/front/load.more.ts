import { waitUntil } from '@atrium/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import {
  errorOf,
  type FrontWorld,
  frontKey,
  holdRequests,
  post,
  startFrontWorld,
  turn,
} from '../../test/front-world.ts'
import { completion, json, type StubExchange } from '../../test/stub-upstream.ts'

let world: FrontWorld

afterEach(() => world?.stop())

const release = (held: StubExchange[]): void => {
  for (const { request, response } of held.splice(0)) json(response, 200, completion(request))
}

describe('load', () => {
  test('[AG20] `parallel` at once, the others in order, and 429 beyond the queue', async () => {
    world = await startFrontWorld({ parallel: 2, queueLimit: 2 })
    const held = holdRequests(world)
    const ask = (content: string) => post(world.front, { ...turn, messages: [{ role: 'user', content }] })
    const answers: Promise<Response>[] = []
    for (const [count, name] of ['a', 'b', 'c', 'd'].entries()) {
      answers.push(ask(name))
      await waitUntil(() => {
        const { underWay, queued } = world.front.load()
        return underWay + queued === count + 1 || `${underWay} and ${queued}`
      })
    }
    await waitUntil(() => held.length === 2 || `${held.length} are with the engine`)
    expect(world.front.load()).toEqual({ underWay: 2, queued: 2, maxInFlight: 2 })
    const refused = await ask('e')
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await errorOf(refused)).toMatchObject({ code: 'rate_limit_exceeded', type: 'rate_limit_error' })
    release(held)
    await waitUntil(() => held.length === 2 || `${held.length} more are with the engine`)
    release(held)
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const order = world.upstream.exchanges.map(({ request }) => request.messages[0]?.content)
    expect(order.slice(0, 2).toSorted()).toEqual(['a', 'b'])
    expect(order.slice(2).toSorted()).toEqual(['c', 'd'])
    expect(world.front.load()).toEqual({ underWay: 0, queued: 0, maxInFlight: 2 })
  })

  test('[AG21] a client that leaves while it waits leaves the queue', async () => {
    world = await startFrontWorld({ parallel: 1, queueLimit: 1 })
    const held = holdRequests(world)
    const first = post(world.front, turn)
    await waitUntil(() => held.length === 1 || 'the first is not there yet')
    const client = new AbortController()
    const second = fetch(`${world.front.address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${frontKey}` },
      body: JSON.stringify(turn),
      signal: client.signal,
    })
    await waitUntil(() => world.front.load().queued === 1 || 'the second does not wait yet')
    client.abort()
    await expect(second).rejects.toThrow()
    await waitUntil(() => world.front.load().queued === 0 || 'it still waits')
    const third = post(world.front, turn)
    await waitUntil(() => world.front.load().queued === 1 || 'the third does not wait yet')
    release(held)
    await waitUntil(() => held.length === 1 || 'the third is not with the engine')
    release(held)
    expect([(await first).status, (await third).status]).toEqual([200, 200])
    expect(world.upstream.exchanges).toHaveLength(2)
  })

  test('[AG22] a request that takes too long is 504, and its place is free again', async () => {
    world = await startFrontWorld({ parallel: 1, requestTimeoutMs: 50 })
    holdRequests(world)
    const response = await post(world.front, turn)
    expect([response.status, (await errorOf(response)).code]).toEqual([504, 'engine_timeout'])
    await waitUntil(() => world.front.load().underWay === 0 || 'its place is taken')
  })

  test('[AG23] stopping lets requests under way finish and refuses those that wait', async () => {
    world = await startFrontWorld({ parallel: 1 })
    const held = holdRequests(world)
    const underWay = post(world.front, turn)
    await waitUntil(() => held.length === 1 || 'it is not under way')
    const waiting = post(world.front, turn)
    await waitUntil(() => world.front.load().queued === 1 || 'it does not wait')
    const stopped = world.front.stop()
    const refused = await waiting
    expect([refused.status, (await errorOf(refused)).code]).toEqual([503, 'shutting_down'])
    await expect(post(world.front, turn)).rejects.toThrow()
    release(held)
    expect((await underWay).status).toBe(200)
    await stopped
    await world.front.stop()
  })

  test('[AG24] what does not finish in time when stopping is aborted', async () => {
    world = await startFrontWorld({ stopGraceMs: 50 })
    const held = holdRequests(world)
    const answer = post(world.front, turn)
    await waitUntil(() => held.length === 1 || 'it is not under way')
    await world.front.stop()
    const response = await answer
    expect([response.status, (await errorOf(response)).code]).toEqual([503, 'shutting_down'])
    await waitUntil(() => world.upstream.abandoned === 1 || 'the engine still works')
  })
})
