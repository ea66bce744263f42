import { limits } from '@atrium/contract'
import { createApi, createPerson, createResearcher, startServer, waitUntil } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { type Outcome, shakeHands } from '../security/shake-hands.ts'

const joinsAtOnce = 25

it('[R24] an instance accepts 1,000 connections; further handshakes are refused with a code until one is free', async () => {
  const server = await startServer()
  const api = createApi(server.http)
  const experimentId = await (await createResearcher(api)).openExperiment()
  const join = async () => await (await createPerson(api)).join(experimentId)
  const enter = async (session: Awaited<ReturnType<typeof join>>, namespace: string): Promise<Outcome> => {
    const outcome = await shakeHands(server.http, namespace, { session, query: { roomId: session.roomId } })
    // A server that gets no processor time for seconds gives up handshakes.
    return ['', 'cut off'].includes(outcome.code) ? await enter(session, namespace) : outcome
  }

  // Everyone connects to both namespaces, so half as many joins are enough.
  const crowd: (Outcome & { enterAgain(): Promise<Outcome> })[] = []
  const place = async (session: Awaited<ReturnType<typeof join>>, namespace: string) => {
    const enterAgain = () => enter(session, namespace)
    crowd.push({ ...(await enterAgain()), enterAgain })
  }
  const someone = await join()
  const comeInBoth = async (joining = join()) => {
    const session = await joining
    for (const namespace of ['/waiting', '/experiment']) await place(session, namespace)
  }
  await comeInBoth(Promise.resolve(someone))
  while (crowd.length < limits.socketsPerInstance) {
    const people = Math.min(joinsAtOnce, (limits.socketsPerInstance - crowd.length) / 2)
    await Promise.all(Array.from({ length: people }, () => comeInBoth()))
  }
  expect(new Set(crowd.map(({ code }) => code))).toEqual(new Set(['connected']))

  const late = await join()
  await waitUntil(
    async () => {
      // It also drops connections then, which frees their places.
      for (const one of crowd) if (!one.socket.connected) Object.assign(one, await one.enterAgain())
      const refused = await enter(late, '/experiment')
      if (refused.code === 'UNAVAILABLE') return true
      refused.socket.close()
      return `it is ‘${refused.code}’ beside ${crowd.filter(({ socket }) => socket.connected).length} others`
    },
    { timeoutMs: 240_000 },
  )
  // A reloaded page reuses its place.
  const reloaded = await enter(someone, '/experiment')
  expect(reloaded.code).toBe('connected')
  reloaded.socket.close()
  // The server notices a closed connection after a moment.
  let outcome = await enter(late, '/experiment')
  await waitUntil(
    async () => {
      if (outcome.code !== 'connected') outcome = await enter(late, '/experiment')
      return outcome.code === 'connected' || outcome.code
    },
    { timeoutMs: 240_000 },
  )
  for (const { socket } of [...crowd, outcome]) socket.close()
  await server.stop()
}, 600_000)
