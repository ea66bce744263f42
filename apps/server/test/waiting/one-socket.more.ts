import { describeInOneMode, waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { shakeHands } from '../security/shake-hands.ts'
import { endless, lobbyIn } from './lobby.ts'

const trio = endless({ matching: { groupSize: 3 } })

describeInOneMode(
  'A session in the waiting room',
  (world) => {
    const lobby = lobbyIn(world)
    const connect = (pod: number, session: Parameters<typeof shakeHands>[2]) => {
      const { servers } = world()
      return shakeHands(servers[pod % servers.length]?.http ?? '', '/waiting', session)
    }

    test('[W16] has one socket: a second tab takes over, on any instance, and the position is kept', async () => {
      const experimentId = await lobby.open(trio)
      const session = await lobby.join(experimentId)
      await lobby.come(experimentId)
      let current = await connect(0, { session })
      for (const pod of [0, 1, 0]) {
        const former = current
        current = await connect(pod, { session })
        await waitUntil(() => !former.socket.connected || 'the former is still connected')
        expect(former.received.at(-1)).toBe('replaced')
      }
      await waitUntil(() => current.received.includes('waiting_status') || 'not told anything')
      expect(current.socket.connected).toBe(true)
      expect(current.received).not.toContain('replaced')
      const last = await lobby.come(experimentId)
      await last.socket.status(({ waiting }) => waiting >= 2)
      await waitUntil(() => current.received.includes('room_assigned') || 'no room')
      current.socket.close()
    })

    test('[W18] that stays connected after its room was assigned is closed with the session, on any instance', async () => {
      const experimentId = await lobby.open(trio)
      const people = [
        await lobby.come(experimentId),
        await lobby.come(experimentId),
        await lobby.come(experimentId),
      ]
      await lobby.together(people)
      // One is revoked, one joins again elsewhere, one stays.
      const [revoked, rejoined, stays] = people
      await lobby.revoke(revoked?.sessionId ?? '')
      await rejoined?.joinAgain()
      for (const one of [revoked, rejoined])
        await waitUntil(() => one?.socket.lost() !== undefined || 'still connected')
      expect([revoked, rejoined].map((one) => one?.socket.lost())).toEqual(
        ['revoked', 'revoked'].map((status) => `session_ended ${JSON.stringify({ status })}`),
      )
      expect(stays?.socket.lost()).toBeUndefined()
      expect(stays?.socket.received.room_assigned).toHaveLength(1)
    })

    test('[W16] cannot have many sockets: of twenty opened at once on all instances, one stays', async () => {
      const session = await lobby.join(await lobby.open(trio))
      const opened = await Promise.all(Array.from({ length: 20 }, (_, pod) => connect(pod, { session })))
      expect(opened.map(({ code }) => code)).toEqual(opened.map(() => 'connected'))
      const connected = () => opened.filter(({ socket }) => socket.connected)
      await waitUntil(() => connected().length === 1 || `${connected().length} are connected`)
      const [stays] = connected()
      await waitUntil(() => stays?.received.includes('waiting_status') || 'the last one is not told anything')
      for (const { socket } of opened) socket.close()
    })
  },
  { mode: 'cluster' },
)
